#!/bin/sh
# Makes the certificates of test/indexing/server/server-tls.test.ts: an authority, a server and a client that
# the authority signed, and a self-signed server. The keys protect nothing.
set -eu
cd "$(dirname "$0")"
new_key() { openssl ecparam -name prime256v1 -genkey -noout -out "$1-key.pem"; }
sign() {
  openssl req -new -key "$1-key.pem" -subj "/CN=$2" -out request.pem
  printf 'subjectAltName=DNS:localhost,IP:127.0.0.1\n' >names.txt
  openssl x509 -req -in request.pem -CA authority.pem -CAkey authority-key.pem -CAcreateserial \
    -extfile names.txt -days 36500 -out "$1.pem"
}
for name in authority server client stranger; do new_key "$name"; done
openssl req -x509 -new -key authority-key.pem -subj "/CN=Quarry test authority" -days 36500 -out authority.pem
openssl req -x509 -new -key stranger-key.pem -subj "/CN=localhost" -days 36500 -out stranger.pem
sign server localhost
sign client reader
rm -f request.pem names.txt authority.srl authority-key.pem
