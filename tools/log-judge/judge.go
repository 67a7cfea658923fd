// Judges a public log with the library of Go's checksum database, which shares nothing with the
// product: go run judge.go URL OLDER_CHECKPOINT_FILE PROOF_FILE ENTRY_FILE
package main

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const height = 8

func main() {
	if len(os.Args) != 5 {
		fail("expected URL, older checkpoint, proof and entry")
	}
	log := &server{url: os.Args[1]}
	vkey := strings.TrimSpace(string(log.get("key")))
	tree := open(string(log.get("checkpoint")), vkey)
	reader := tlog.TileHashReader(tree, log)
	judgeEntries(log, tree, reader)
	judgeRecords(tree, reader)
	judgeGrowth(tree, open(read(os.Args[2]), vkey), reader)
	judgeProof(read(os.Args[3]), read(os.Args[4]), vkey)
	fmt.Printf("agreed on %d entries\n", tree.N)
}

// open reads a checkpoint whose signature the library has checked.
func open(text string, vkey string) tlog.Tree {
	verifier, err := note.NewVerifier(vkey)
	check(err, "the key")
	opened, err := note.Open([]byte(text), note.VerifierList(verifier))
	check(err, "the signature")
	lines := strings.Split(opened.Text, "\n")
	size, err := strconv.ParseInt(lines[1], 10, 64)
	check(err, "the size")
	hash, err := tlog.ParseHash(lines[2])
	check(err, "the root")
	return tlog.Tree{N: size, Hash: hash}
}

// judgeEntries compares each entry with its leaf; the library proves every tile against the root.
func judgeEntries(log *server, tree tlog.Tree, reader tlog.HashReader) {
	for first := int64(0); first < tree.N; first += 1 << height {
		width := tree.N - first
		if width > 1<<height {
			width = 1 << height
		}
		bundle := log.get("tile/entries/" + spelled(first>>height, int(width)))
		for index := first; index < first+width; index++ {
			length := int(binary.BigEndian.Uint16(bundle))
			entry := bundle[2 : 2+length]
			bundle = bundle[2+length:]
			hashes, err := reader.ReadHashes([]int64{tlog.StoredHashIndex(0, index)})
			check(err, "a tile")
			if tlog.RecordHash(entry) != hashes[0] {
				fail(fmt.Sprintf("entry %d does not hash to its leaf", index))
			}
		}
		if len(bundle) > 0 {
			fail("a bundle holds more than its entries")
		}
	}
}

func judgeRecords(tree tlog.Tree, reader tlog.HashReader) {
	for _, index := range []int64{0, tree.N / 3, tree.N / 2, tree.N - 1} {
		proof, err := tlog.ProveRecord(tree.N, index, reader)
		check(err, "the proof of a record")
		hashes, err := reader.ReadHashes([]int64{tlog.StoredHashIndex(0, index)})
		check(err, "a leaf")
		check(tlog.CheckRecord(proof, tree.N, tree.Hash, index, hashes[0]), "a record")
	}
}

func judgeGrowth(tree tlog.Tree, older tlog.Tree, reader tlog.HashReader) {
	if older.N <= 0 || older.N >= tree.N {
		fail("the older checkpoint is not older")
	}
	proof, err := tlog.ProveTree(tree.N, older.N, reader)
	check(err, "the proof of growth")
	check(tlog.CheckTree(proof, tree.N, tree.Hash, older.N, older.Hash), "the growth")
}

// judgeProof reads a tlog-proof: index, hashes, and the checkpoint that they lead to.
func judgeProof(text string, entry string, vkey string) {
	parts := strings.SplitN(text, "\n\n", 2)
	lines := strings.Split(parts[0], "\n")
	if lines[0] != "c2sp.org/tlog-proof@v1" {
		fail("the proof has another first line")
	}
	// The entry comes along as extra data, which proves nothing by itself and is not looked at.
	if strings.HasPrefix(lines[1], "extra ") {
		lines = lines[1:]
	}
	index, err := strconv.ParseInt(strings.TrimPrefix(lines[1], "index "), 10, 64)
	check(err, "the index of the proof")
	proof := tlog.RecordProof{}
	for _, line := range lines[2:] {
		bytes, err := base64.StdEncoding.DecodeString(line)
		check(err, "a hash of the proof")
		var hash tlog.Hash
		copy(hash[:], bytes)
		proof = append(proof, hash)
	}
	tree := open(parts[1], vkey)
	leaf := tlog.RecordHash([]byte(entry))
	check(tlog.CheckRecord(proof, tree.N, tree.Hash, index, leaf), "the proof of an opening")
}

type server struct{ url string }

func (log *server) Height() int { return height }

func (log *server) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	data := [][]byte{}
	for _, tile := range tiles {
		path := fmt.Sprintf("tile/%d/%s", tile.L, spelled(tile.N, tile.W))
		data = append(data, log.get(path))
	}
	return data, nil
}

func (log *server) SaveTiles([]tlog.Tile, [][]byte) {}

func (log *server) get(path string) []byte {
	response, err := http.Get(log.url + "/" + path)
	check(err, path)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	check(err, path)
	if response.StatusCode != 200 {
		fail(fmt.Sprintf("%s answered %d", path, response.StatusCode))
	}
	return body
}

// spelled is the end of a path in the spelling of C2SP tlog-tiles.
func spelled(index int64, width int) string {
	path := fmt.Sprintf("%03d", index%1000)
	for index >= 1000 {
		index /= 1000
		path = fmt.Sprintf("x%03d/%s", index%1000, path)
	}
	if width < 1<<height {
		path = fmt.Sprintf("%s.p/%d", path, width)
	}
	return path
}

func read(file string) string {
	text, err := os.ReadFile(file)
	check(err, file)
	return string(text)
}

func check(err error, what string) {
	if err != nil {
		fail(fmt.Sprintf("%s: %v", what, err))
	}
}

func fail(why string) {
	fmt.Fprintln(os.Stderr, "disagreed:", why)
	os.Exit(1)
}
