#!/usr/bin/env python3
"""Is the prose of comments, messages and pages plain English?   tools/check_language.py

Reads comments and strings of sources, docstrings of Python and text of Markdown, and counts breaches of the
rules in RULES, file by file. If a string holds a study, only the comments of the study are read.

tools/language_ceilings.txt holds how many breaches a file may have. Ceilings only fall: `--renew` writes lower
ones, and a file that is not listed may have none. Words in RETIRED are refused everywhere, also in names.
`--show PATH...` prints each breach of these files or folders. `--self-test` tests the check.
"""

import ast
import io
import pathlib
import re
import subprocess
import sys
import tokenize

ROOT = pathlib.Path(__file__).resolve().parents[1]
CEILINGS = ROOT / "tools/language_ceilings.txt"
C_FILES = (".hpp", ".cpp", ".cu", ".cuh", ".in")
HASH_FILES = (".py", ".cmake", ".sh", ".toml", "CMakeLists.txt", "Makefile", ".yml")
# Data, reference outputs and texts by other authors.
LEFT_OUT = re.compile(r"^(\.ci|tools/language_ceilings\.txt|LICENSE|tests/.*\.(json|csv))")
LONGEST_SENTENCE = 25
FEWEST_WORDS_OF_A_MESSAGE = 4

RULES = {
    "begins with 'of'": re.compile(r"(?:^|[;:(]\s*)[Oo]f\b"),
    "says 'what'": re.compile(r"\b[Ww]hat\b"),
    "says 'beside' or 'besides'": re.compile(r"\b[Bb]esides?\b"),
    "says 'alone'": re.compile(r"\b[Aa]lone\b"),
    "says 'but' for 'except' or 'only'": re.compile(r"(?<![,;])\s[Bb]ut\b|\bbut for\b"),
    "says 'is no' for 'is not a'": re.compile(r"(?<![Tt]here )(?<!which )\b(?:is|are|was|were) no\b"),
    "says 'the same' and not what": re.compile(r"(?:^The same\b(?! \w+ \w+))|\bthe same(?:$|[.,;:)])"),
}

# Retired words, and the words of docs/glossary.md in their place.
RETIRED = {
    r"[Kk]inds? of matter|KindOfMatter|MatterTables|kinds?_of_matter": "ModelKind, model kind",
    r"ElasticBand|elastic_band": "GeodesicNeb, geodesic_neb",
    r"MultiHistogram|multi_histogram": "Mbar, mbar",
    r"VelocityRescaling|velocity_rescaling": "Bussi, bussi",
    r"MartynaTobiasKlein|martyna_tobias_klein": "Mtk, mtk",
    r"\b(ReplicaLanes|SiteLanes|Single)(In)?\b(?=[<{>&,])": "ReplicaPackSlot, SitePackSlot, ScalarSlot",
    r"SpecialisedKernel|(?<![\"'])specialised_kernels(?![\"'])|RuntimeModule": "JitKernel, jit_kernels, JitModule",
    r"\bEmbedded(View|Clusters|Graph|Engine)\b": "ReflectionClusterView, ReflectionClusters, ...",
    r"\bOwnParts|\bTurnProducts|\bAcceptedTurn|\bRecordings\b|\bRhythm\b": "see the glossary",
    r"LARMOR_SELDOM": "LARMOR_COLD",
    r"\b\w+_later\(": "..._async",
    r"\bPanel(Kernels|Sums|Reduction)\b|\bMartyna_|\bSlabPartition\b": "Tile..., DomainPartition",
    r"larmor/problems|study/kinds|study/matter|spins/parallel|spins/transitions|core/lanes|ising/bits": "new rooms",
}
WITH_RETIRED = re.compile(r"(CHANGELOG|docs/glossary)\.md$|tools/check_language\.py$")


def c_prose(text):
    """Pairs (line, text) of the comments and messages of a C++ or CUDA source."""
    found, comment, last = [], [], -2
    pattern = re.compile(
        r'//[^\n]*|/\*.*?\*/|R"(\w*)\((.*?)\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|[^\s"\'/]+|/', re.S)
    message, message_line, line, position = [], 0, 1, 0

    def end_message():
        if message:
            found.append((message_line, without_keys("".join(message))))
            message.clear()

    def end_comment():
        if comment:
            found.append((comment[0][0], "\n".join(line for _, line in comment)))
            comment.clear()

    for match in pattern.finditer(text):
        line += text.count("\n", position, match.start())
        position = match.start()
        token = match[0]
        if token.startswith("//"):
            words = token.lstrip("/").removeprefix("<").strip()
            alone = not text[text.rfind("\n", 0, position) + 1:position].strip()
            if comment and not (alone and line == last + 1):
                end_comment()
            comment.append((line, words))
            last = line if alone else -2
            continue
        end_comment()
        if token.startswith("/*"):
            found.append((line, token[2:-2]))
        elif match[2] is not None:
            end_message()
            found.append((line, without_keys(match[2])))
        elif token.startswith('"'):
            if not message:
                message_line = line
            message.append(token[1:-1].replace("\\n", "\n").replace('\\"', '"'))
        else:
            end_message()
    end_comment()
    end_message()
    return [(line, words) for line, words in found if is_prose(words)]


def without_keys(text):
    """Only the comments of a text that is a study; any other text unchanged."""
    lines = text.split("\n")
    first = next((line for line in lines if line.strip() and not line.lstrip().startswith("#")), "")
    if not re.match(r"\s*(\[\[?[\w-]+\]|\w+ *= *[^ =])", first):
        return text
    return "\n".join(line.partition("#")[2] for line in lines)


def is_prose(text):
    return len(re.findall(r"\b[A-Za-z]{2,}\b", text)) >= FEWEST_WORDS_OF_A_MESSAGE


def hash_prose(text):
    """Pairs (line, text) of comments that begin with #."""
    found, comment = [], []
    for number, line in enumerate(text.splitlines() + [""], 1):
        match = re.match(r"\s*#(?!!)\s?(.*)", line)
        if match:
            comment.append((number, match[1]))
        elif comment:
            found.append((comment[0][0], "\n".join(words for _, words in comment)))
            comment = []
    return [(line, words) for line, words in found if is_prose(words)]


def python_prose(text):
    found = []
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, IndentationError):
        return []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            docstring = ast.get_docstring(node)
            if docstring:
                found.append((node.body[0].lineno, docstring))
    comment, last = [], -2
    for token in tokens:
        if token.type != tokenize.COMMENT or token.string.startswith("#!"):
            continue
        if comment and token.start[0] != last + 1:
            found.append((comment[0][0], "\n".join(words for _, words in comment)))
            comment = []
        comment.append((token.start[0], token.string.lstrip("# ")))
        last = token.start[0]
    if comment:
        found.append((comment[0][0], "\n".join(words for _, words in comment)))
    return [(line, words) for line, words in found if is_prose(words)]


def markdown_prose(text):
    """Paragraphs, list items and cells of tables; code, links and formulas are left out."""
    text = re.sub(r"^(```|~~~).*?^\1", lambda code: "\n" * code[0].count("\n"), text, flags=re.S | re.M)
    text = re.sub(r"\$\$.*?\$\$", lambda formula: "\n" * formula[0].count("\n"), text, flags=re.S)
    found, block, first = [], [], 1
    text = re.sub(r"(?<=\n\n)(?: {4}.*\n+)+", lambda code: "\n" * code[0].count("\n"), text)
    for number, line in enumerate(text.splitlines() + [""], 1):
        begins = re.match(r"\s*(?:[-*+]|\d+\.)\s|\s*\||#|>", line)
        if block and (not line.strip() or begins):
            found.append((first, "\n".join(block)))
            block = []
        if line.strip():
            if not block:
                first = number
            block.append(line)
        if line.lstrip().startswith(("|", "#")) and block:
            found += [(number, cell) for cell in line.strip("| #").split("|")]
            block = []
    return [(line, words) for line, words in found if is_prose(words)]


def sentences(text):
    """Sentences of a block of prose; code between backticks is one word."""
    text = re.sub(r"```.*?```", " ", text, flags=re.S)
    text = re.sub(r"`[^`]*`", "code", text)
    text = re.sub(r"\$[^$\n]*\$", "formula", text)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    text = re.sub(r"\n\s*[@]\w+( \w+)?", "\n\n", text)
    text = re.sub(r"^@\w+( \w+)?", "", text.strip())
    for paragraph in re.split(r"\n\s*\n|\n\s*(?=[-*] |\d+\. )", text):
        paragraph = re.sub(r"\s+", " ", paragraph).strip(" -*")
        for sentence in re.split(r"(?<=[.;:?!])\s+", paragraph):
            if sentence:
                yield sentence


def breaches(text):
    """Pairs (rule, sentence)."""
    for sentence in sentences(text):
        bare = re.sub(r"\"[^\"]*\"|'[^' ]*'", "quoted", sentence)
        for rule, pattern in RULES.items():
            if pattern.search(bare):
                yield rule, sentence
        # Formulas have single letters, which are not counted.
        words = len(re.findall(r"\b[A-Za-z][A-Za-z'-]+\b", bare))
        if words > LONGEST_SENTENCE:
            yield f"has {words} words", sentence


def prose(path, text):
    name = str(path)
    if name.endswith(".md"):
        return markdown_prose(text)
    if name.endswith(".py"):
        return python_prose(text)
    if name.endswith(C_FILES):
        return c_prose(text)
    if name.endswith(HASH_FILES):
        return hash_prose(text)
    return []


def retired_in(text):
    """Pairs (line, breach)."""
    for pattern, better in RETIRED.items():
        for match in re.finditer(pattern, text):
            yield text.count("\n", 0, match.start()) + 1, f"says '{match[0]}', retired for {better}"


def found_in(root, name):
    text = (root / name).read_text(encoding="utf-8", errors="replace")
    found = [(line, rule, sentence) for line, words in prose(name, text) for rule, sentence in breaches(words)]
    if not WITH_RETIRED.search(name) and name.endswith(C_FILES + HASH_FILES + (".md",)):
        found += [(line, breach, "") for line, breach in retired_in(text)]
    return found


def files(root):
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=root, capture_output=True, text=True, check=True)
    return [name for name in sorted(set(listed.stdout.splitlines()))
            if not LEFT_OUT.search(name) and (root / name).is_file()]


def ceilings():
    if not CEILINGS.exists():
        return {}
    rows = [line.split() for line in CEILINGS.read_text().splitlines() if line and not line.startswith("#")]
    return {name: int(count) for count, name in rows}


def self_test():
    source = '''// Of a study: its tables.
// The sum of all bonds, for each replica.
int a;  // what all others stand on
throw InputError("no sites remain but the first of them");
/// Spins, and energies beside them: one for each replica.
/// There is no field. A ring is no chain.
auto x = "short one";
auto study = R"(# Spins alone.
[[stage]]
measure = [{ what = "energy" }]  # and of what kind
)";
'''
    rules = sorted(rule for _, words in c_prose(source) for rule, _ in breaches(words))
    assert rules == ["begins with 'of'", "says 'alone'", "says 'beside' or 'besides'",
                     "says 'but' for 'except' or 'only'", "says 'is no' for 'is not a'", "says 'what'", "says 'what'"], rules
    long = "// " + "word " * 26 + ".\n// " + "word " * 25 + ".\n"
    assert [rule for _, words in c_prose(long) for rule, _ in breaches(words)] == ["has 26 words"]
    page = "# What this is for\n\nWe say `what` here, but not there.\n\n```\nwhat a code alone\n```\n\n    what --here\n\n- one of them alone is it\n"
    rules = [rule for _, words in markdown_prose(page) for rule, _ in breaches(words)]
    assert rules == ["says 'what'", "says 'alone'"], rules
    script = '"""What it does, in a docstring."""\n# Nothing but a comment here.\nx = 1  # of no matter to anybody\n'
    rules = sorted(rule for _, words in python_prose(script) for rule, _ in breaches(words))
    assert rules == ["begins with 'of'", "says 'but' for 'except' or 'only'", "says 'what'"], rules
    retired = [breach for _, breach in retired_in("class ElasticBand;\nauto x = energy_later(a);\nint translated_later;\n")]
    assert len(retired) == 2, retired
    print("the check catches what it should")


def main(arguments):
    if arguments == ["--self-test"]:
        self_test()
        return 0
    if arguments[:1] == ["--show"]:
        total = 0
        for name in files(ROOT):
            if any(name == place or name.startswith(place.rstrip("/") + "/") for place in arguments[1:]):
                for line, rule, sentence in found_in(ROOT, name):
                    total += 1
                    print(f"{name}:{line}: {rule}: {sentence}")
        print(f"{total} breaches")
        return 0
    counts = {name: len(found_in(ROOT, name)) for name in files(ROOT)}
    allowed = ceilings()
    if arguments == ["--renew"]:
        first = not CEILINGS.exists()
        rows = [(name, count if first else min(count, allowed.get(name, 0))) for name, count in counts.items()]
        CEILINGS.write_text("# Breaches of the rules of tools/check_language.py that a file may have.\n"
                            + "".join(f"{count} {name}\n" for name, count in rows if count))
        allowed = ceilings()
    above = [(name, count) for name, count in counts.items() if count > allowed.get(name, 0)]
    below = [name for name, count in allowed.items() if counts.get(name, 0) < count]
    for name, count in above:
        print(f"{name}: {count} breaches, {allowed.get(name, 0)} allowed: tools/check_language.py --show {name}")
    for name in below:
        print(f"{name}: fewer breaches than its ceiling: tools/check_language.py --renew")
    if above or below:
        return 1
    print(f"plain English, except for {sum(counts.values())} breaches that ceilings allow")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
