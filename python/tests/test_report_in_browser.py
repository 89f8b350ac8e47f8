"""The page of larmor report in a browser without a window: pictures, zoom, readout, legends, phones."""

import shutil

import larmor
import numpy as np
import pytest
import results_file as synthetic
from larmor.report import write_report

webdriver = pytest.importorskip("selenium.webdriver", reason="no selenium here")

TEMPERATURE = np.array([0.5, 1.0, 1.5])
# Text that would end the script of a page or load an image if it were not escaped.
HOSTILE = '</script><img src="x" onerror="throw 1"> $x$ & "quotes"'


def write_results(path):
    """Stages with averages, vectors, a map of S(q,w), spins and a path."""
    random = np.random.default_rng(4)
    with synthetic.create(path, title=HOSTILE) as file:
        sites = len(synthetic.add_model(file))
        stage = synthetic.add_stage(file, "01-monte-carlo")
        synthetic.add_temperature(stage, TEMPERATURE)
        synthetic.add_average(stage, "energy", np.array([-0.3, -0.2, -0.1]), np.array([0.01, 0.02, np.nan]))
        synthetic.add_average(stage, "magnetisation", np.array([0.9, 0.5, 0.1]), np.full(3, 0.05))
        synthetic.add_configuration(stage, random.normal(size=(1, sites, 3)))
        stage = synthetic.add_stage(file, "02-dynamics")
        time = 0.1 * np.arange(60)
        synthetic.add_series(stage, "magnetisation", random.normal(size=(60, 2, 3)), time=time)
        synthetic.add_series(stage, "energy", random.normal(size=(60, 2)), time=time)
        q, distance, corners = synthetic.square_path(10)
        frequency = np.linspace(-8, 8, 81)
        intensity = 1 / (1 + (frequency - 4 + 4 * np.cos(2 * np.pi * q[:, :1])) ** 2)
        synthetic.add_structure_factor(
            stage, q, distance, frequency, intensity, 0.01 * intensity, list(zip(corners, ["Γ", "X", "M", "Γ"]))
        )
    with larmor.open(path) as results:
        return write_report(results)


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    return write_results(tmp_path_factory.mktemp("report") / "results.h5").as_uri()


@pytest.fixture(scope="module")
def browser():
    program, driver = (next(filter(None, map(shutil.which, names)), None)
                       for names in (("chromium", "chromium-browser", "google-chrome"), ("chromedriver",)))
    if not program or not driver:
        pytest.skip("no Chromium here")
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for option in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    started = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    yield started
    started.quit()


@pytest.fixture
def page(browser, address):
    """The page at the width of a desk."""
    return open_page(browser, address, 1280)


@pytest.fixture
def phone(browser, address):
    return open_page(browser, address, 375)


def open_page(browser, address, width):
    metrics = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 400}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    browser.get(address)
    assert browser.get_log("browser") == []
    return browser


def settled(page):
    """Waits until the next frame is drawn."""
    page.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")


def move_to(page, picture, axes, x, y):
    """Moves the mouse to a place in the data of some axes."""
    left, top = page.execute_script("""
        const axes = larmorReport.pictures[arguments[0]].axes[arguments[1]], svg = axes.group.ownerSVGElement;
        axes.group.scrollIntoView({block: "center", behavior: "instant"});
        const at = new DOMPoint(...axes.placeOf(arguments[2], arguments[3])).matrixTransform(svg.getScreenCTM());
        return [at.x, at.y]""", picture, axes, x, y)
    mouse = webdriver.ActionChains(page, duration=0)
    mouse.w3c_actions.pointer_action.move_to_location(round(left), round(top))
    mouse.perform()
    return left, top


def bubble(page, picture):
    return page.execute_script(
        "const b = larmorReport.pictures[arguments[0]].bubble; return b.hidden ? '' : b.innerText", picture
    )


def number_of(page, kind):
    """Number of the first picture of a kind."""
    return page.execute_script(
        "return larmorReport.pictures.findIndex(picture => picture.name.endsWith(arguments[0]))", kind
    )


PICTURES_ARE_DRAWN = """
return larmorReport.pictures.map(picture => [picture.svg, ...picture.parts].map(svg => {
  const box = svg.getBoundingClientRect();
  return svg.querySelectorAll('path').length > 5 && box.width > 60 && box.height > 60 && box.right <= innerWidth + 1;
}).every(Boolean) && picture.axes.every(axes => axes.group.getBoundingClientRect().width > 5))"""

FITS = "return document.documentElement.scrollWidth <= innerWidth"


def test_every_picture_is_drawn_and_nothing_is_loaded(page):
    assert page.execute_script(PICTURES_ARE_DRAWN) == 4 * [True]
    assert page.execute_script(FITS)
    loaded = page.execute_script("return performance.getEntriesByType('resource').map(entry => entry.name)")
    assert [name for name in loaded if not name.startswith(("data:", "blob:"))] == []
    ids = page.execute_script("return [...document.querySelectorAll('[id]')].map(element => element.id)")
    assert len(ids) == len(set(ids))


def test_text_of_the_study_is_no_markup(page):
    assert page.find_element("tag name", "h1").text == HOSTILE
    assert page.execute_script("return document.images.length") == 0


def test_a_phone_shows_panels_one_below_the_other(phone):
    assert phone.execute_script(PICTURES_ARE_DRAWN) == 4 * [True]
    assert phone.execute_script(FITS)
    boxes = phone.execute_script(
        "return larmorReport.pictures[0].axes.map(axes => axes.group.getBoundingClientRect()).map(b => [b.top, b.bottom])"
    )
    assert boxes[0][1] <= boxes[1][0]


BORROWED = """
return larmorReport.pictures[arguments[0]].axes.map(axes => [...axes.group.querySelectorAll('.borrowed')].map(part => {
  const box = part.getBoundingClientRect(), whole = axes.group.ownerSVGElement.getBoundingClientRect();
  const frame = axes.group.querySelector('[id*="patch_"]').getBoundingClientRect();
  return [box.width > 0 && box.height > 0, box.top >= frame.bottom - 1, box.bottom <= whole.bottom + 1];
}))"""


def test_each_panel_on_a_phone_has_its_axis(browser, address):
    desk = open_page(browser, address, 1280)
    number = number_of(desk, "series")
    assert desk.execute_script(BORROWED, number) == [[], []]
    phone = open_page(browser, address, 375)
    upper, lower = phone.execute_script(BORROWED, number)
    # some numbers and the name
    assert len(upper) >= 4 and all(all(part) for part in upper) and lower == []
    texts = "return [...larmorReport.pictures[arguments[0]].axes[0].ticks.querySelectorAll('text')].map(text => text.textContent)"
    phone.execute_script("larmorReport.pictures[arguments[0]].zoomIn()", number)
    settled(phone)
    assert len(phone.execute_script(texts, number)) >= 4
    hidden = phone.execute_script("return larmorReport.pictures[arguments[0]].axes[0].borrowed[0].every(({group}) => group.style.display === 'none')", number)
    assert hidden
    ids = phone.execute_script("return [...document.querySelectorAll('[id]')].map(element => element.id)")
    assert len(ids) == len(set(ids))
    desk = open_page(browser, address, 1280)
    assert desk.execute_script("return document.querySelectorAll('.borrowed').length") == 0


def test_hovering_tells_the_value_with_its_error(page):
    move_to(page, 0, 1, 1.0, -0.2)
    told = bubble(page, 0)
    assert "Temperature kBT = 1" in told.replace("\u2009", "").replace("_", "") and "−0.200(20)" in told
    readout = page.execute_script("return larmorReport.pictures[0].readout.textContent")
    assert "Energy E = −0.2" in readout


def test_hovering_tells_the_value_of_a_map(page):
    number = number_of(page, "structure-factor")
    move_to(page, number, 0, 1.0, 2.0)
    stored = page.execute_script(
        "const map = larmorReport.pictures[arguments[0]].axes[0].maps[0]; return [map.x, map.y, map.values]", number
    )
    column, row = (int(np.searchsorted(edges, at, side="right")) - 1 for edges, at in zip(stored, (1.0, 2.0)))
    assert float(bubble(page, number).split(" = ")[1].split()[0]) == pytest.approx(stored[2][row][column], rel=1e-3)


def test_a_legend_hides_its_curve(page):
    number = number_of(page, "series")
    entry = page.execute_script(
        "return larmorReport.pictures[arguments[0]].legends.find(entry => entry.label === 'M_x')", number
    )
    hit = page.find_element("css selector", f"#p{number + 1} .hit[aria-label='Curve M_x']")
    page.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", hit)
    curve = page.find_element("id", entry["targets"][0])
    other = page.execute_script(
        "return larmorReport.pictures[arguments[0]].legends.find(entry => entry.label === 'M_y').targets[0]", number
    )
    hit.click()
    assert not curve.is_displayed() and page.find_element("id", other).is_displayed()
    hit.send_keys(" ")
    assert curve.is_displayed()


MARKERS = """
const axes = larmorReport.pictures[0].axes[1], curve = axes.curves[0];
const uses = [...document.getElementById(curve.id).querySelectorAll('use')];
return uses.map((use, n) => {
  const place = axes.placeOf(curve.x[n], curve.y[n]);
  return Math.hypot(use.getAttribute('x') - place[0], use.getAttribute('y') - place[1]);
})"""


def test_zoom_moves_curves_and_numbers_and_reset_brings_them_back(page):
    outline = "return document.getElementById(larmorReport.pictures[0].axes[1].curves[0].id).querySelector('path').getAttribute('d')"
    before = page.execute_script(outline)
    move_to(page, 0, 1, 1.0, -0.2)
    mouse = webdriver.ActionChains(page, duration=0)
    mouse.click().perform()
    frame = page.find_element("css selector", "#p1 .frame")
    assert page.switch_to.active_element == frame
    x, y = move_to(page, 0, 1, 1.0, -0.2)
    page.execute_cdp_cmd(
        "Input.dispatchMouseEvent", {"type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": -400}
    )
    settled(page)
    zoom = page.execute_script("return larmorReport.pictures[0].axes.map(axes => axes.k[0])")
    assert zoom[1] > 1.2 and zoom[0] == zoom[1]  # both panels share the temperature
    assert page.execute_script(outline) != before
    assert max(page.execute_script(MARKERS)) < 0.02
    numbers = page.execute_script(
        "return [...larmorReport.pictures[0].axes[1].ticks.querySelectorAll('text')].map(text => text.textContent)"
    )
    assert len(numbers) >= 4 and all(float(number.replace("−", "-")) is not None for number in numbers)
    webdriver.ActionChains(page, duration=0).double_click().perform()
    settled(page)
    assert page.execute_script(outline) == before
    assert page.execute_script("return larmorReport.pictures[0].axes[1].ticks.childElementCount") == 0


def test_dragging_moves_the_axes(page):
    move_to(page, 0, 1, 1.0, -0.2)
    webdriver.ActionChains(page, duration=0).click_and_hold().move_by_offset(40, 0).release().perform()
    settled(page)
    shift, ends = page.execute_script(
        "const axes = larmorReport.pictures[0].axes[1]; return [axes.t[0] * axes.box[2] * axes.group.ownerSVGElement.getScreenCTM().a, axes.k]"
    )
    assert shift == pytest.approx(40, abs=1) and ends == [1, 1]


def test_keys_zoom_and_read_points(page):
    frame = page.find_element("css selector", "#p1 .frame")
    frame.send_keys("+")
    settled(page)
    assert page.execute_script("return larmorReport.pictures[0].axes[0].k[0]") == pytest.approx(1.5)
    frame.send_keys("0")
    frame.send_keys("cn")
    assert "(" in page.execute_script("return larmorReport.pictures[0].readout.textContent")
    frame.send_keys("f")
    box = page.execute_script("return document.getElementById('p1').getBoundingClientRect()")
    assert (box["width"], box["height"]) == tuple(page.execute_script("return [innerWidth, innerHeight]"))
    frame.send_keys("f")
    assert page.execute_script("return document.getElementById('p1').classList.contains('full')") is False


def test_tables_and_curves_are_copied_in_full_precision(page):
    rows = page.execute_script("return larmorReport.numbersOf(document.getElementById('t1'))")
    assert rows[0][:3] == ["temperature", "energy", "energy_error"]
    assert [float(row[0]) for row in rows[1:]] == TEMPERATURE.tolist()
    assert [row[1:3] for row in rows[1:]] == [
        ["-0.29999999999999999", "0.01"],
        ["-0.20000000000000001", "0.02"],
        ["-0.10000000000000001", ""],
    ]
    curves = page.execute_script("return larmorReport.pictures[0].table()")
    energy = [row for row in curves[1:] if row[0] == 2]
    assert [row[2:6] for row in energy] == [[0.5, "", -0.3, 0.01], [1, "", -0.2, 0.02], [1.5, "", -0.1, ""]]


def test_downloads_are_whole_pictures(phone):
    text = phone.execute_script("return larmorReport.pictures[0].source()")
    assert text.startswith("<svg") and "borrowed" not in text and text.count("<path") > 20 and "p1-a0" in text and "p1-a1" in text
    size = phone.execute_async_script("""
        const done = arguments[0], image = new Image();
        image.onload = () => done([image.width, image.height]);
        image.onerror = () => done(null);
        image.src = URL.createObjectURL(new Blob([larmorReport.pictures[0].source()], {type: 'image/svg+xml'}))""")
    assert size is not None and size[0] > size[1] > 100
