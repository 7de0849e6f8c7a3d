#!/bin/sh
# SPDX-License-Identifier: MIT
# http.sh VAPL - ⎕HTTP and HttpCommand against a server on this machine, tests/http_server.py, which ends by itself.
vapl=$(realpath "${1:?usage: http.sh path/to/vapl}")
here=$(dirname "$(realpath "$0")")
dir=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; rm -rf "$dir"' EXIT
cd "$dir" || exit 1
export HOME="$dir" XDG_CACHE_HOME="$dir/cache"
unset http_proxy HTTP_PROXY all_proxy ALL_PROXY
failed=0 passed=0
if "$vapl" -e "⎕HTTP 'none'" 2>&1 | grep -q 'NONCE ERROR'; then
  echo 'http.sh: skipped, libcurl is missing'
  exit 77
fi
command -v python3 >/dev/null || { echo 'http.sh: skipped, python3 is missing'; exit 77; }
python3 "$here/http_server.py" port 300 &
server=$!
for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do [ -s port ] || sleep 0.2; done
port=$(cat port)

# Each line of `lines` is an expression, ⍝ → and what it shows; u is the server.
check() { # FILE PRELUDE
  while IFS= read -r line; do
    case $line in '' | '#'*) continue ;; esac
    text=${line%%⍝ →*} wanted=${line#*⍝ →}
    wanted=$(echo "$wanted" | sed 's/^ *//')
    got=$(timeout 60 "$vapl" --device host -e "u←'http://127.0.0.1:$port'" -e "$2" -e "$text" 2>&1 |
      sed 's/ *$//; s/^ *//' | awk 'NR > 1 { printf " ⏎ " } { printf "%s", $0 }')
    if [ "$got" = "$wanted" ]; then passed=$((passed + 1)); else
      failed=$((failed + 1))
      printf 'FAIL %s: %s, expected %s\n' "$text" "$got" "$wanted"
    fi
  done < "$1"
}
cat > lines <<'APL'
(⎕HTTP u,'/text').(rc msg HttpVersion HttpStatus HttpMessage)⍝ → 0    HTTP/1.1  200  OK
(⎕HTTP u,'/text').Data≡'grüß dich',⎕UCS 10 ⍝ → 1
⊃{(⍵[;1]≡¨⊂'Content-Type')/⍵[;2]}(⎕HTTP u,'/text').Headers ⍝ → text/plain; charset=utf-8
(⎕UCS(⎕HTTP u,'/bytes').Data)≡¯1+⍳256 ⍝ → 1
(⎕HTTP u,'/latin').Data ⍝ → grüß
⎕UCS(⎕HTTP u,'/wrong').Data ⍝ → 255 254
(⎕JSON(⎕HTTP u,'/json').Data).a ⍝ → 1 2 3
(⎕HTTP u,'/status/404').(rc HttpStatus HttpMessage) ⍝ → 0 404  Not Found
(⎕HTTP u,'/status/204').(rc HttpStatus Data) ⍝ → 0 204
(⎕HTTP u,'/nothing').(HttpStatus Data) ⍝ → 404  nothing here
(⎕HTTP u,'/redirect/3').(rc HttpStatus,≢Redirections) ⍝ → 0 200 4
(⎕HTTP u,'/redirect/3').Redirections.HttpStatus ⍝ → 302 302 302 302
(⎕HTTP u,'/redirect/30').rc ⍝ → ¯47
(⎕HTTP(URL:u,'/redirect/3' ⋄ MaxRedirections:0)).(rc HttpStatus) ⍝ → 0 302
(⎕HTTP(URL:u,'/redirect/12' ⋄ MaxRedirections:20)).(rc HttpStatus) ⍝ → 0 200
(⎕JSON(⎕HTTP(URL:u,'/see-other' ⋄ Body:'x')).Data).command ⍝ → GET
(⎕HTTP u,'/to-file').rc ⍝ → ¯1
≢(⎕HTTP u,'/gzip').Data ⍝ → 7000
(⎕HTTP u,'/bad-gzip').rc ⍝ → ¯61
(⎕HTTP u,'/chunks').Data ⍝ → part 0 part 1 part 2 part 3 part 4 part 5 part 6 part 7 part 8 part 9
(⎕HTTP u,'/drop').(rc Data) ⍝ → ¯18  half
(⎕HTTP u,'/nonsense').rc ⍝ → ¯1
(⎕HTTP u,'/long-head').(HttpStatus,×rc) ⍝ → 200 ¯1
(⎕HTTP(URL:u,'/slow/20' ⋄ Timeout:0.3)).rc ⍝ → ¯28
(⎕HTTP 'http://127.0.0.1:1/').rc ⍝ → ¯7
(⎕HTTP 'ftp://127.0.0.1/').rc ⍝ → ¯1
(⎕HTTP 'file:///etc/hostname').rc ⍝ → ¯1
(⎕HTTP 'http://no-such-host.invalid/').rc ⍝ → ¯6
(⎕JSON(⎕HTTP(URL:u,'/echo' ⋄ Command:'put' ⋄ Body:'grüß')).Data).(command(⎕UCS body)) ⍝ → PUT  103 114 195 188 195 159
(⎕JSON(⎕HTTP(URL:u,'/echo' ⋄ Body:1 2 255 ¯1)).Data).(command(⎕UCS body)) ⍝ → POST  1 2 255 255
(⎕JSON(⎕HTTP(URL:u,'/echo' ⋄ Command:'DELETE')).Data).(command body) ⍝ → DELETE
(⎕HTTP(URL:u,'/text' ⋄ Command:'HEAD')).(HttpStatus Data) ⍝ → 200
(⎕JSON(⎕HTTP(URL:u,'/echo' ⋄ Headers:('xa' 'b')('content-type' 'a/b')('xe' ''))).Data).headers.(xa xe) ⍝ → b
(⎕JSON(⎕HTTP(URL:u,'/echo' ⋄ Headers:2 2⍴'xa' 'b' 'xc' 'd')).Data).headers.(xa xc) ⍝ → b  d
(⎕JSON(⎕HTTP(URL:u,'/echo' ⋄ Headers:'xa' 'one')).Data).headers.xa ⍝ → one
{11::⊃⌽⎕DM ⋄ ⎕HTTP ⍵}(URL:u ⋄ Headers:'a' ('b',⎕UCS 13 10)) ⍝ → ^
{11::'domain' ⋄ ⎕HTTP ⍵}¨''(u,⎕UCS 10)(⎕NS'')(URL:u ⋄ Command:'G T')(URL:u ⋄ Body:300)(URL:u ⋄ Headers:⊂'a')(URL:3) ⍝ → domain  domain  domain  domain  domain  domain  domain
r←⎕HTTP(URL:u,'/big/1000' ⋄ OutFile:'big') ⋄ r.(rc BytesWritten,≢Data),2 ⎕NINFO 'big' ⍝ → 0 1000 0 1000
(⎕HTTP(URL:u,'/drop' ⋄ OutFile:'none')).rc,⎕NEXISTS 'none' ⍝ → ¯18 0
{22 26::'no' ⋄ ⎕HTTP ⍵}(URL:u,'/text' ⋄ OutFile:'no/such/folder') ⍝ → no
APL
check lines "{}0"
cat > lines <<'APL'
HttpCommand.UrlEncode'a b/ü&' ⍝ → a%20b%2F%C3%BC%26
HttpCommand.UrlDecode'a%20b%2F%C3%BC+x%' ⍝ → a b/ü x%
HttpCommand.Base64Encode¨'' 'a' 'ab' 'abc' 'grüß'⍝ →    YQ==  YWI=  YWJj  Z3LDvMOf
{⍵≡HttpCommand.Base64Decode HttpCommand.Base64Encode ⍵}¨,¨'' 'a' 'ab' 'abc' 'grüß ⍳' ⍝ → 1 1 1 1 1
HttpCommand.Get u,'/text' ⍝ → [rc: 0 | msg:  | HTTP Status: 200 "OK" | ⍴Data: 10]
(HttpCommand.Get u,'/text').(IsOK(GetHeader'content-TYPE')) ⍝ → 1  text/plain; charset=utf-8
(HttpCommand.Get u,'/status/404').IsOK ⍝ → 0
(HttpCommand.GetJSON u,'/json').Data.(a b) ⍝ → 1 2 3  grüß
(⎕JSON(HttpCommand.Get(u,'/echo')(x:1 2 ⋄ name:'grüß')).Data).path ⍝ → /echo?name=gr%C3%BC%C3%9F&x=1%202
(⎕JSON(HttpCommand.Get(u,'/echo?a=1')'b=2').Data).path ⍝ → /echo?a=1&b=2
(⎕JSON(HttpCommand.Do'POST'(u,'/echo')(('a' 1)('b' 'x y'))).Data).(command body) ⍝ → POST  a=1&b=x%20y
(HttpCommand.GetJSON'POST'(u,'/echo')(a:1 2 3)).Data.(command body) ⍝ → POST  {"a":[1,2,3]}
(HttpCommand.GetJSON u,'/text').(rc msg) ⍝ → 0
⊃(≠∘(⎕UCS 13)⊆⊢)1 HttpCommand.Get'http://example.com/a?b=1'('c' 2) ⍝ → GET /a?b=1&c=2 HTTP/1.1
c←HttpCommand.New'GET' '/json' ⋄ c.BaseURL←u,'/' ⋄ c.TranslateData←1 ⋄ c.Run.Data.a ⍝ → 1 2 3
c←HttpCommand.New(URL:u,'/status/500') ⋄ c.Run.(IsOK HttpStatus) ⍝ → 0 500
c←HttpCommand.New'' ⋄ c.(URL Command Timeout)←(u,'/slow/9')'get' 0.3 ⋄ c.Run.rc ⍝ → ¯28
c←HttpCommand.New u ⋄ _←'X-One'c.SetHeader'1' ⋄ _←'x-one'c.AddHeader'2' ⋄ c.Headers ⍝ →  X-One 1
c←HttpCommand.New u ⋄ _←'X-One'c.SetHeader'1' ⋄ _←c.RemoveHeader'x-one' ⋄ ≢c.Headers ⍝ → 0
c←HttpCommand.New u,'/cookies' ⋄ r←c.Run ⋄ c.URL←u,'/echo' ⋄ (⎕JSON c.Run.Data).headers.cookie ⍝ → a=1; b=x=y
(HttpCommand.Get u,'/cookies').Cookies.(Name Value) ⍝ → a  1    b  x=y
c←HttpCommand.New u,'/echo' ⋄ c.(AuthType Auth)←'basic' 'me:pw' ⋄ (⎕JSON c.Run.Data).headers.authorization ⍝ → Basic bWU6cHc=
APL
check lines "{}⎕FIX'file://$here/../lib/HttpCommand.apl'"

is() { # WHAT GOT WANTED
  if [ "$2" = "$3" ]; then passed=$((passed + 1)); else
    failed=$((failed + 1))
    printf 'FAIL %s: %s, expected %s\n' "$1" "$2" "$3"
  fi
}
url="http://127.0.0.1:$port"
# 100 MB into a file take no memory to speak of
"$vapl" --device host -e "r←⎕HTTP(URL:'$url/big/100000000' ⋄ OutFile:'large')" -e "⎕←r.(rc BytesWritten)" \
  -e "⊃(∨/¨'VmHWM'∘⍷¨l)/l←⊃⎕NGET '/proc/self/status' 1" > out
is "100 MB" "$(head -n 1 out)" "0 100000000"
is "100 MB: the file" "$(stat -c %s large)" 100000000
is "100 MB: memory" "$([ "$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' out)" -lt 90000 ] && echo little)" little
# Ctrl-C and the limit of time end a wait at once
timeout --preserve-status -s INT 1 "$vapl" --device host -e "⎕HTTP '$url/slow/30'" 2> err
is "Ctrl-C" "$(grep -c INTERRUPT err)" 1
is "--max-time" "$("$vapl" --device host --max-time 0.5 -e "⎕HTTP '$url/slow/30'" 2>&1 | grep -c 'LIMIT ERROR')" 1
is "]get of a URL" "$(printf "]get $url/twice.aplf\ntwice 4\n" | "$vapl" --device host 2>&1 | tr '\n' ' ')" 'twice 8 '
is "]get of none" "$(printf "]get $url/nothing.aplf\n" | "$vapl" --device host 2>&1 | grep -c '404')" 1
is "]get where there is no server" "$(printf "]get http://127.0.0.1:1/a.aplf\n" | "$vapl" --device host 2>&1 | grep -ci 'connect')" 1
is "--safe" "$("$vapl" --safe -e "⎕HTTP '$url/text'" 2>&1 | grep -c 'PERMISSION ERROR')" 1

echo "http.sh: $passed passed, $failed failed"
[ $failed = 0 ]
