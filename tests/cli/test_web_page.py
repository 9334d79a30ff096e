"""test_web_page.py SOURCE - the map in one HTML file draws a world in headless Chromium from a file:// address: all of
the view is land or sea, motion, zoom and styles make new tiles, the address holds the view, and nothing fails.

TERRANE_WEB may name a folder with a page that was built before."""

import io
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

SECONDS = 240
SIZE = 420, 320
EMPTY = 14, 28, 46  # the colour of the canvas before anything is drawn


def skip(reason):
    print(f"skipped: {reason}", file=sys.stderr)
    sys.exit(77)


try:
    from PIL import Image, ImageChops, ImageStat
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
except ImportError as missing:
    skip(missing)
for program in ("chromium", "chromedriver"):
    if not shutil.which(program):
        skip(f"{program} is missing")


def build(source, folder):
    """The page that TERRANE_WEB names, or a new one."""
    built = pathlib.Path(os.environ.get("TERRANE_WEB", folder))
    if not (built / "terrane.html").exists():
        if not shutil.which("emcc"):
            skip("emcc is missing")
        subprocess.run([source / "scripts/build-web", built], check=True, stdout=subprocess.DEVNULL)
    return built / "terrane.html"


def start():
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--use-angle=swiftshader",
                     "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    driver.set_window_size(*SIZE)
    return driver


def wait(driver, what, condition, may_say=False):
    """Wait until an expression of JavaScript holds. The page must not report an error, unless `may_say`."""
    end = time.monotonic() + SECONDS
    message = "document.getElementById('message')"
    while not driver.execute_script(f"return Boolean({condition})"):
        text = driver.execute_script(f"return {message}.className && {message}.textContent")
        assert may_say or not text, text
        assert time.monotonic() < end, f"not within {SECONDS} s: {what}"
        time.sleep(0.2)


def picture(driver):
    """The map without its panels."""
    wait(driver, "all tiles are made", "window.terrane && terrane.isComplete()")
    wait(driver, "tiles are opaque", "[...terrane.store.tiles.values()].some((tile) => tile.share >= 1)")
    return Image.open(io.BytesIO(driver.get_screenshot_as_png())).convert("RGB")


def check_drawn(pixels, what):
    """No pixel has the colour of the empty canvas, and there are many colours."""
    colours = pixels.getcolors(pixels.width * pixels.height)
    empty = sum(count for count, colour in colours if max(abs(a - b) for a, b in zip(colour, EMPTY)) <= 1)
    assert empty < 0.002 * pixels.width * pixels.height, f"{what}: {empty} pixels of the view are empty"
    assert len(colours) > 200, f"{what}: only {len(colours)} colours"


def check(driver, page):
    driver.get(f"{page.resolve().as_uri()}#world=alps&at=-1078272,1921024&tall=3000")
    wait(driver, "the page has begun", "window.terrane")
    driver.execute_script("document.getElementById('fold').click()")
    first = picture(driver)
    check_drawn(first, "alps, 3 km")

    canvas = driver.find_element("id", "map")
    ActionChains(driver).drag_and_drop_by_offset(canvas, -90, 40).perform()
    wait(driver, "the view has moved", "terrane.view.x > -1078272 && !terrane.view.pointers.size")
    moved = picture(driver)
    check_drawn(moved, "after a drag")
    assert max(ImageStat.Stat(ImageChops.difference(moved, first)).mean) > 1, "a drag does not change the picture"
    wait(driver, "the address holds the view", "location.hash.includes(Math.round(terrane.view.x * 16) / 16 + ',')")

    driver.execute_script("document.querySelector('[data-style=biome]').click()")
    biomes = picture(driver)
    assert max(ImageStat.Stat(ImageChops.difference(biomes, moved)).mean) > 5, "biomes have the colours of relief"
    driver.execute_script("document.querySelector('[data-style=relief]').click()")

    driver.execute_script("document.getElementById('farther').click()")
    wait(driver, "the zoom has ended", "terrane.view.pixel > 3000 / innerHeight * 1.9")
    check_drawn(picture(driver), "after a zoom")
    facts = driver.execute_script("return [terrane.state.world, document.getElementById('line').textContent]")
    assert facts[0] == "alps" and facts[1].startswith("terrane fly --world alps --at "), facts

    driver.execute_script("location.hash = 'world=moon&at=0,0&tall=20000'")
    wait(driver, "the world has changed", "terrane.state.world === 'moon' && terrane.view.x === 0")
    check_drawn(picture(driver), "moon")
    driver.execute_script("location.hash = 'world=default&land=7'")
    text = "document.getElementById('message').textContent"
    wait(driver, "a wrong parameter is refused", f"{text}.includes('land')", may_say=True)
    said = driver.execute_script(f"return {text}")
    assert "from -1 to 1" in said, said
    messages = [m["message"] for m in driver.get_log("browser") if m["level"] == "SEVERE"]
    assert not messages, messages


def main():
    source = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        page = build(source, folder)
        driver = start()
        try:
            check(driver, page)
        finally:
            driver.quit()
    print("all as expected")


main()
