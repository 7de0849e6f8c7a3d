#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""browser.py - uses the page in Chromium without a window, as a person does: browser.py build/web/page [PICTURES]

The browser is spoken to by its DevTools protocol over two pipes. PICTURES is a folder for pictures of the page, on a
desktop and on a phone.
"""
import base64
import functools
import http.server
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time


class Browser:
    """Chromium and one page of it."""

    def __init__(self, profile):
        ours, theirs = os.pipe()
        answers, their_answers = os.pipe()
        command = ('exec chromium --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run '
                   '--user-data-dir="$2" --remote-debugging-pipe about:blank 3<&"$0" 4>&"$1"')
        self.process = subprocess.Popen(
            ['bash', '-c', command, str(ours), str(their_answers), profile],
            pass_fds=(ours, their_answers), stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        os.close(ours)
        os.close(their_answers)
        self.to, self.answers = os.fdopen(theirs, 'wb', 0), os.fdopen(answers, 'rb')
        self.number, self.session, self.faults = 0, None, []
        target = self.call('Target.createTarget', url='about:blank')['targetId']
        self.session = self.call('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
        for domain in ('Runtime', 'Page', 'Log'):
            self.call(domain + '.enable')

    def take(self):
        """The next message."""
        data = bytearray()
        while True:
            byte = self.answers.read(1)
            if not byte:
                raise EOFError('the browser has ended')
            if byte == b'\0':
                return json.loads(data)
            data += byte

    def call(self, method, **params):
        self.number += 1
        message = {'id': self.number, 'method': method, 'params': params}
        if self.session:
            message['sessionId'] = self.session
        self.to.write(json.dumps(message).encode() + b'\0')
        while True:
            got = self.take()
            if got.get('method') == 'Runtime.exceptionThrown':
                self.faults.append(got['params']['exceptionDetails'])
            if got.get('method') == 'Log.entryAdded' and got['params']['entry']['level'] == 'error':
                self.faults.append(got['params']['entry'])
            if got.get('id') == self.number:
                if 'error' in got:
                    raise RuntimeError(got['error'])
                return got['result']

    def value(self, script):
        got = self.call('Runtime.evaluate', expression=script, returnByValue=True, awaitPromise=True)
        if 'exceptionDetails' in got:
            raise RuntimeError(got['exceptionDetails'])
        return got['result'].get('value')

    def wait(self, script, seconds=60):
        end = time.monotonic() + seconds
        while not self.value(script):
            if time.monotonic() > end:
                raise TimeoutError('%s; the log: %s' % (script, self.log()))
            time.sleep(0.05)

    def log(self):
        return self.value('document.getElementById("log").innerText')

    def type(self, text):
        """Types as keys do, and presses Enter, once what was typed before is done."""
        self.idle()
        self.value('document.getElementById("line").focus()')
        for char in text:
            self.call('Input.dispatchKeyEvent', type='keyDown', text=char, key=char)
            self.call('Input.dispatchKeyEvent', type='keyUp', key=char)
        self.press('Enter', 13, text='\r')

    def press(self, key, code, **more):
        for kind in ('keyDown', 'keyUp'):
            self.call('Input.dispatchKeyEvent', type=kind, key=key, code=key, windowsVirtualKeyCode=code,
                      **(more if kind == 'keyDown' else {}))

    def shows(self, text, seconds=60):
        self.wait('document.getElementById("log").innerText.includes(%s)' % json.dumps(text), seconds)

    def idle(self, seconds=120):
        self.wait('!document.body.classList.contains("busy") && !document.getElementById("run").disabled', seconds)

    def picture(self, path, width, height):
        self.call('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1,
                  mobile=width < 600)
        time.sleep(0.3)
        with open(path, 'wb') as f:
            f.write(base64.b64decode(self.call('Page.captureScreenshot', format='png')['data']))


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


def check(what, ok, browser):
    if not ok:
        raise AssertionError('%s; the log: %s' % (what, browser.log()))
    print('ok', what)


def session(b):
    """What is typed, and what it shows."""
    b.type('+/`i10')
    b.shows('      +/⍳10\n55')
    check('a sum', True, b)
    b.type('1 2 3+4 5')
    b.shows('LENGTH ERROR: shapes 3 and 2')
    check('an error has its line and a caret', '\n           ^' in b.log(), b)
    b.type('f`[{')
    b.idle()
    check('an open brace waits for more', b.value('document.getElementById("line").value') == 'f←{\n', b)
    b.type('`w+1}')
    b.type('f 41')
    b.shows('      f 41\n42')
    b.type('iota')  # is a name; Tab turns it into a glyph
    b.shows('VALUE ERROR: iota')
    b.value('document.getElementById("line").focus()')
    b.call('Input.insertText', text='iota')
    b.press('Tab', 9)
    check('a name and Tab', b.value('document.getElementById("line").value') == '⍳', b)
    b.press('ArrowUp', 38)
    check('an earlier entry', b.value('document.getElementById("line").value') == 'iota', b)
    b.value('document.getElementById("line").value=""')
    b.value('[...document.querySelectorAll("#bar button")].find(x => x.textContent === "⍋").click()')
    check('the bar types', b.value('document.getElementById("line").value') == '⍋', b)
    b.value('[...document.querySelectorAll("#bar button")].find(x => x.textContent === "⍳")'
            '.dispatchEvent(new Event("mouseenter"))')
    tip = b.value('document.getElementById("tip").textContent')
    check('the tip is that of ]help', 'index of' in tip and 'typed: `i, or iota and Tab' in tip, b)
    b.value('document.getElementById("line").value=""')
    b.type("(`z'one' 'two')`lNPUT'x.txt'")
    b.type("`lNGET'x.txt' 1")
    b.shows('one  two')
    check('files in memory', True, b)
    b.type(']plan +/2×`i1000000')
    b.shows('in all  1 kernel on the host')
    b.value('document.getElementById("kernels").click()')
    b.idle()
    b.type('+/2`-`i1000000')
    b.shows('MUL.i32')
    check('a kernel as text', True, b)
    b.value('document.getElementById("kernels").click()')
    b.idle()
    spirv(b)
    b.value('document.getElementById("clear").click()')


def spirv(b):
    """The modules that a card would be given, of names of the workspace, too, which stay as they are."""
    b.type('m←20 20⍴0.5×⍳400')
    b.type('twice←{⍵+⍵}')
    for text, want in (('twice m÷3', 'OpFDiv %double'), ('m+.×m', 'OpFMul'), ('+/⍳1000', 'OpGroupNonUniformIAdd'),
                       ('⍋,m', 'Workgroup'), ('+\\,m', 'OpLoad'), ('kept←1', 'No kernel runs there')):
        b.idle()
        b.value('document.getElementById("clear").click()')
        b.value('document.getElementById("line").focus()')
        b.call('Input.insertText', text=text)
        b.value('document.getElementById("spirv").click()')
        b.shows(want)
        check('SPIR-V of ' + text, 'OpEntryPoint' in b.log() or want.startswith('No'), b)
        check('every instruction is known', not re.search(r'Op\d', b.log()), b)
        b.value('document.getElementById("line").value=""')
    b.type('+/,m')
    b.shows('40100')
    b.type('kept')
    b.shows('VALUE ERROR: kept')


def limits(b):
    """What does not end, or wants more than there is."""
    for text, want in (('r`[{1+`g`w}', None), ('r 0', 'LIMIT ERROR'), ('1E8`r0.5', 'WS FULL'),
                       ('+/`i1000', '500500')):
        b.type(text)
        b.idle()
        if want:
            b.shows(want)
    check('no end of calls, no room', 'gave up' not in b.log(), b)
    b.type('kept`[7')
    b.idle()
    b.type('{`g`w}1')
    time.sleep(1)
    check('it runs', b.value('!document.getElementById("stop").disabled'), b)
    b.value('document.getElementById("stop").click()')
    b.idle()
    check('Stop says that the workspace is lost', 'workspace are lost' in b.log(), b)
    b.type('kept')
    b.shows('VALUE ERROR: kept')
    b.type('+/`i100')
    b.shows('5050')
    check('and a new one answers', True, b)
    b.type('1E6`r1')
    b.shows('what follows is too long to be shown')
    b.type('{`g`l`[`w}1')
    time.sleep(1)
    b.value('document.getElementById("stop").click()')
    b.idle()
    check('much that is displayed, and Stop', b.log().count('workspace are lost') == 2, b)
    b.value('document.getElementById("clear").click()')


# Recursions of all kinds, without an end: each is to find the end of the stack before the browser does.
DEEP = """f←{⍎'f ⍵'} ⋄ f 1
g←{g¨⊂⍵} ⋄ g 1 2
h←{(h∘⊢)⍵} ⋄ h 1
k←{(k⍤0)⍵ ⍵} ⋄ k 1
p←{(p⍣2)⍵} ⋄ p 1
q←{⍵ ∘.q ⍵ ⍵} ⋄ q 1 2
u←{u⍤1⊢2 2⍴⍵} ⋄ u 1
d←{(⊢+d)⍵} ⋄ d 1
y←{(y⍥⊢)⍨⍵} ⋄ y 1
c←{⍵:1+c ⍵ ⋄ 0} ⋄ c 1
o←{1+⍺⍺ o ⍵} ⋄ +o 1
⎕FX 'z←tr x' 'z←1+tr x' ⋄ tr 1
≢{0=≢⍵:⍬ ⋄ (⊂⊃⍵),∇ 1↓⍵}⍳100000
⍎(100000⍴'('),'1'
⍎(100000⍴'{'),'1'
⎕JSON(100000⍴'['),'1'
x←⊂⍣100000⊢1 2 ⋄ ≡x
x←⊂⍣100000⊢1 2 ⋄ x≡⊂x
x←⊂⍣100000⊢1 2 ⋄ ≢⍕x
x←⊂⍣100000⊢1 2 ⋄ ≡x+1
x←⊂⍣100000⊢1 2 ⋄ ≢∊x
x←⊂⍣100000⊢1 2 ⋄ ⍋x x
x←⊂⍣100000⊢1 2 ⋄ x∊x x""".split('\n')


def deep(b):
    wrong = b.value("""(async () => {
      const wrong = [];
      for (const text of %s) {
        log.replaceChildren();
        await run(text);
        if (!/ ERROR: |WS FULL/.test(log.innerText)) wrong.push(log.innerText.slice(0, 300));
        while (!ready) await new Promise((done) => setTimeout(done, 50));
      }
      return wrong.join("\\n");
    })()""" % json.dumps(DEEP))
    check('recursions without an end', not wrong, b) if not wrong else check(wrong, False, b)


def tutorial(b):
    """The last block runs all before it; each answers as the page says."""
    n = b.value('document.querySelectorAll(".block").length')
    b.value('[...document.querySelectorAll(".block .run")].at(-1).click()')
    b.wait('document.querySelectorAll(".block.ran").length === %d' % n, 300)
    b.idle()
    wrong = b.value('[...document.querySelectorAll(".differs .verdict")].map(x => x.textContent).join("\\n")')
    check('%d blocks of the tutorial' % n, not wrong, b) if not wrong else check(wrong, False, b)


def main():
    folder, pictures = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), functools.partial(Handler, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        b = Browser(profile)
        try:
            began = time.monotonic()
            b.call('Page.navigate', url='http://127.0.0.1:%d/' % server.server_port)
            b.wait('document.getElementById("state")?.textContent.startsWith("Ready")')
            print(b.value('document.getElementById("state").textContent'),
                  '%.0f ms with the browser' % ((time.monotonic() - began) * 1000))
            session(b)
            limits(b)
            deep(b)
            tutorial(b)
            if pictures:
                b.picture(os.path.join(pictures, 'desktop.png'), 1280, 800)
                b.picture(os.path.join(pictures, 'phone.png'), 390, 844)
                b.call('Emulation.setEmulatedMedia', features=[{'name': 'prefers-color-scheme', 'value': 'dark'}])
                b.picture(os.path.join(pictures, 'dark.png'), 1280, 800)
            check('no faults in the page', not b.faults, b) if not b.faults else check(str(b.faults), False, b)
        finally:
            b.process.kill()
            b.process.wait()


if __name__ == '__main__':
    main()
