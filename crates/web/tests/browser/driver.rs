//! A real Chromium, by the protocol of its driver (W3C WebDriver).

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long anything may take; machines that test are busy.
const PATIENCE: Duration = Duration::from_secs(60);
/// The name of elements in the protocol.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A browser with one window.
pub(crate) struct Browser {
    driver: Child,
    port: u16,
    session: String,
    _profile: tempfile::TempDir,
}

/// What a browser is like.
#[derive(Clone, Copy)]
pub(crate) struct Look {
    pub(crate) language: &'static str,
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) dark: bool,
}

impl Default for Look {
    fn default() -> Look {
        Look { language: "en", width: 1280, height: 900, dark: false }
    }
}

impl Browser {
    /// Starts a browser without a window on a screen.
    pub(crate) fn start(look: Look) -> Browser {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver is there; ./test.sh installs it");
        let mut lines = BufReader::new(driver.stdout.take().expect("a pipe")).lines();
        let port = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| {
                line.split("on port ").nth(1)?.trim_end_matches('.').parse().ok().filter(|port| *port != 0)
            })
            .expect("the driver tells its port");
        std::thread::spawn(move || lines.for_each(drop));
        let profile = tempfile::tempdir().expect("a folder");
        let mut arguments: Vec<String> = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-dev-shm-usage",
            "--hide-scrollbars",
            "--force-device-scale-factor=1",
        ]
        .map(str::to_owned)
        .to_vec();
        arguments.push(format!("--user-data-dir={}", profile.path().display()));
        arguments.push(format!("--window-size={},{}", look.width, look.height));
        arguments.push(format!("--accept-lang={}", look.language));
        if look.dark {
            arguments.push("--blink-settings=preferredColorScheme=0".to_owned());
        }
        let options = json!({ "args": arguments, "prefs": { "intl.accept_languages": look.language } });
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": { "browser": "ALL" },
        } } });
        let mut browser = Browser { driver, port, session: String::new(), _profile: profile };
        let session = browser.send("POST", "/session", &wanted);
        browser.session = session["sessionId"].as_str().expect("a session").to_owned();
        browser.ask("POST", "/window/rect", &json!({ "width": look.width, "height": look.height }));
        // Narrower than a window can be: a phone.
        let size = json!({ "width": look.width, "height": look.height, "deviceScaleFactor": 1, "mobile": look.width < 500 });
        browser.devtools("Emulation.setDeviceMetricsOverride", &size);
        if look.dark {
            let dark = json!({ "features": [{ "name": "prefers-color-scheme", "value": "dark" }] });
            browser.devtools("Emulation.setEmulatedMedia", &dark);
        }
        browser
    }

    fn devtools(&self, command: &str, parameters: &Value) -> Value {
        self.ask("POST", "/goog/cdp/execute", &json!({ "cmd": command, "params": parameters }))
    }

    /// Sends a command of the protocol; its value.
    fn send(&self, method: &str, path: &str, body: &Value) -> Value {
        self.try_send(method, path, body).unwrap_or_else(|error| panic!("{method} {path}: {error}"))
    }

    fn try_send(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        let body = if method == "GET" { String::new() } else { body.to_string() };
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the driver listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a time");
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all((head + &body).as_bytes()).expect("written");
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).expect("answered");
            if line.trim().is_empty() {
                break;
            }
            if let Some(text) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = text.trim().parse().expect("a length");
            }
        }
        let mut answer = vec![0; length];
        reader.read_exact(&mut answer).expect("answered");
        let mut value: Value = serde_json::from_slice(&answer).expect("JSON");
        let value = value["value"].take();
        match value["error"].as_str() {
            Some(error) => Err(format!("{error}: {}", value["message"])),
            None => Ok(value),
        }
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        self.send(method, &format!("/session/{}{path}", self.session), body)
    }

    pub(crate) fn open(&self, address: &str) {
        self.ask("POST", "/url", &json!({ "url": address }));
    }

    pub(crate) fn address(&self) -> String {
        self.ask("GET", "/url", &Value::Null).as_str().expect("an address").to_owned()
    }

    pub(crate) fn reload(&self) {
        self.ask("POST", "/refresh", &json!({}));
    }

    /// Runs a function's body in the page; what it returns.
    pub(crate) fn script(&self, body: &str) -> Value {
        self.ask("POST", "/execute/sync", &json!({ "script": body, "args": [] }))
    }

    /// Waits until an expression is true.
    pub(crate) fn until(&self, expression: &str) {
        let began = Instant::now();
        while self.script(&format!("return Boolean({expression})")) != json!(true) {
            if began.elapsed() > PATIENCE {
                let text = self.script("return document.body.innerText");
                panic!("'{expression}' does not come true; the page says: {text}\nlog: {:?}", self.log());
            }
            std::thread::sleep(Duration::from_millis(40));
        }
    }

    fn element(&self, selector: &str) -> String {
        let query = json!({ "using": "css selector", "value": selector });
        let found = self.ask("POST", "/element", &query);
        found[ELEMENT].as_str().expect("an element").to_owned()
    }

    /// Clicks as a person does: what covers the element gets the click.
    pub(crate) fn click(&self, selector: &str) {
        // The page may draw itself anew between finding and clicking.
        let click = || {
            let path = format!("/session/{}/element/{}/click", self.session, self.element(selector));
            self.try_send("POST", &path, &json!({}))
        };
        let clicked = click().or_else(|error| if error.starts_with("stale") { click() } else { Err(error) });
        clicked.unwrap_or_else(|error| panic!("{selector}: {error}"));
    }

    pub(crate) fn write(&self, selector: &str, text: &str) {
        let element = self.element(selector);
        self.ask("POST", &format!("/element/{element}/value"), &json!({ "text": text }));
    }

    pub(crate) fn text(&self, selector: &str) -> String {
        let element = self.element(selector);
        self.ask("GET", &format!("/element/{element}/text"), &Value::Null).as_str().expect("text").to_owned()
    }

    /// Presses a key where the focus is.
    pub(crate) fn press(&self, key: &str) {
        let down = json!({ "type": "keyDown", "value": key });
        let up = json!({ "type": "keyUp", "value": key });
        self.ask(
            "POST",
            "/actions",
            &json!({ "actions": [{ "type": "key", "id": "keys", "actions": [down, up] }] }),
        );
    }

    /// Drags from the middle of one element to that of another.
    pub(crate) fn drag(&self, from: &str, to: &str) {
        let [from, to] = [from, to].map(|selector| json!({ ELEMENT: self.element(selector) }));
        let step = |origin: &Value| json!({ "type": "pointerMove", "duration": 60, "origin": origin, "x": 0, "y": 0 });
        let actions = json!([
            step(&from),
            { "type": "pointerDown", "button": 0 },
            { "type": "pointerMove", "duration": 40, "origin": from, "x": 9, "y": 9 },
            step(&to),
            { "type": "pointerUp", "button": 0 },
        ]);
        self.ask(
            "POST",
            "/actions",
            &json!({ "actions": [{ "type": "pointer", "id": "mouse", "actions": actions }] }),
        );
    }

    /// A picture of the window, kept if `YOMI_SCREENSHOTS` names a folder.
    pub(crate) fn picture(&self, name: &str) {
        let Some(folder) = std::env::var_os("YOMI_SCREENSHOTS") else { return };
        let data = self.ask("GET", "/screenshot", &Value::Null);
        kept(&folder, name, &data);
    }

    /// The same of the whole page, however long it is.
    pub(crate) fn whole_picture(&self, name: &str) {
        let Some(folder) = std::env::var_os("YOMI_SCREENSHOTS") else { return };
        let whole = json!({ "format": "png", "captureBeyondViewport": true });
        kept(&folder, name, &self.devtools("Page.captureScreenshot", &whole)["data"]);
    }

    /// What went wrong in the page, by its own words: scripts that failed, a policy that was broken.
    pub(crate) fn log(&self) -> Vec<String> {
        let entries = self.ask("POST", "/se/log", &json!({ "type": "browser" }));
        let severe = entries.as_array().cloned().unwrap_or_default().into_iter();
        severe.filter(|entry| entry["level"] == "SEVERE").map(|entry| entry["message"].to_string()).collect()
    }
}

impl Drop for Browser {
    /// Ends the browser before its driver, also when a test fails: nobody else would.
    fn drop(&mut self) {
        let path = format!("/session/{}", self.session);
        let end = std::panic::AssertUnwindSafe(|| self.try_send("DELETE", &path, &json!({})));
        let _ = std::panic::catch_unwind(end);
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

fn kept(folder: &std::ffi::OsStr, name: &str, data: &Value) {
    let bytes = base64(data.as_str().expect("base64"));
    std::fs::write(std::path::Path::new(folder).join(format!("{name}.png")), bytes).expect("written");
}

fn base64(text: &str) -> Vec<u8> {
    let value = |byte: u8| match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let digits: Vec<u8> = text.bytes().filter(|byte| *byte != b'=').map(value).collect();
    let mut bytes = Vec::with_capacity(digits.len() * 3 / 4);
    for group in digits.chunks(4) {
        let number = group.iter().fold(0u32, |number, digit| number << 6 | u32::from(*digit))
            << (6 * (4 - group.len()));
        bytes.extend(&number.to_be_bytes()[1..group.len()]);
    }
    bytes
}
