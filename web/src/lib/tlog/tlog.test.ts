// The browser's reading of a transparency log against one that Node's cryptography has made.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type SampleLog, sampleKey, sampleLog } from '../../../test/log-samples.ts'
import { bytesOfBase64, utf8 } from './bytes.ts'
import { cosignersOf, openCheckpoint, readCheckpoint } from './checkpoint.ts'
import { isSigned, isSignedByLibrary } from './ed25519.ts'
import { growingTree, isConsistent, isIncluded, leafHash, type TreeHead } from './merkle-tree.ts'
import { readNote, readVerifierKey } from './signed-note.ts'
import { entriesOf, tilePath, tileReader } from './tiles.ts'
import { leadsToRoot, readLogProof } from './tlog-proof.ts'

const logOf = (size: number) =>
  sampleLog(Array.from({ length: size }, (_, index) => `entry ${index}`))
const big = logOf(700)
const head = (log: SampleLog, size: number): TreeHead => readCheckpoint(log.checkpoint(size))
const readerOf = (log: SampleLog, size: number) =>
  tileReader(size, async (level, index, width) => new Uint8Array(log.tile(level, index, width)))

const sizes = fc.integer({ min: 1, max: 700 })

describe('the tree', () => {
  it('grows to the root of every size', () => {
    const tree = growingTree()
    for (let size = 0; size <= 20; size += 1) {
      expect(tree.root()).toEqual(head(big, size).root)
      tree.append(leafHash(utf8(`entry ${size}`)))
    }
  })

  it('shows every entry of every size from its tiles, and no other entry', async () => {
    await fc.assert(
      fc.asyncProperty(sizes, fc.nat(), async (size, seed) => {
        const index = seed % size
        const proof = await readerOf(big, size).inclusionProof(index)
        const leaf = leafHash(utf8(`entry ${index}`))
        expect(isIncluded(leaf, index, head(big, size), proof)).toBe(true)
        expect(isIncluded(leafHash(utf8('other')), index, head(big, size), proof)).toBe(false)
        if (size > 1) {
          expect(isIncluded(leaf, (index + 1) % size, head(big, size), proof)).toBe(false)
        }
      }),
      { numRuns: 25 },
    )
  })

  it('shows that a size goes on from every smaller one, and not from another tree', async () => {
    await fc.assert(
      fc.asyncProperty(sizes, sizes, async (one, other) => {
        const [older, newer] = one < other ? [one, other] : [other, one]
        const proof = await readerOf(big, newer).consistencyProof(older)
        expect(isConsistent(head(big, older), head(big, newer), proof)).toBe(true)
        const forged = { size: older, root: leafHash(utf8('forged')) }
        expect(isConsistent(forged, head(big, newer), proof)).toBe(false)
      }),
      { numRuns: 25 },
    )
  })

  it.each([1, 2, 255, 256, 257, 512, 699])(
    'sees that one of the first %i entries was exchanged',
    async (older) => {
      const entries = [...big.entries]
      entries[older - 1] = 'exchanged'
      const forged = sampleLog(entries, big.key)
      const proof = await readerOf(forged, 700).consistencyProof(older)
      expect(isConsistent(head(big, older), head(forged, 700), proof)).toBe(false)
    },
  )
})

describe('tiles', () => {
  it('have the addresses of the format', () => {
    expect(tilePath(0, 1234067, 256)).toBe('tile/0/x001/x234/067')
    expect(tilePath('entries', 0, 3)).toBe('tile/entries/000.p/3')
    expect(tilePath(2, 1000, 255)).toBe('tile/2/x001/000.p/255')
  })

  it('hold entries behind their lengths, and nothing else', () => {
    const bundle = new Uint8Array(logOf(3).bundle(0, 3))
    const texts = entriesOf(bundle, 3)?.map((entry) => new TextDecoder().decode(entry))
    expect(texts).toEqual(['entry 0', 'entry 1', 'entry 2'])
    expect(entriesOf(bundle, 2)).toBeUndefined()
    expect(entriesOf(bundle.slice(0, -1), 3)).toBeUndefined()
    expect(entriesOf(Uint8Array.of(...bundle, 0), 3)).toBeUndefined()
  })
})

describe('a signed note', () => {
  // The example of the format's own page.
  const key = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k'
  const note =
    'This is an example message.\n\n\u2014 example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n'

  it.each([
    ['the browser', isSigned],
    ['the library', isSignedByLibrary],
  ])('as the format shows it is verified by %s, unchanged only', async (_who, verify) => {
    const { publicKey } = readVerifierKey(key)
    const { text, signatures } = readNote(note)
    const { signature } = signatures[0]!
    expect(await verify(publicKey, utf8(text), signature)).toBe(true)
    expect(await verify(publicKey, utf8(text.replace('an', 'no')), signature)).toBe(false)
    expect(await verify(publicKey, utf8(text), signature.with(9, 0))).toBe(false)
  })

  it.each([
    ['another id', key.replace('530d903a', '530d903b')],
    ['another type', 'example.com/foo+530d903a+BOkyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k'],
    ['no key', 'example.com/foo'],
    ['nothing', ''],
  ])('needs a key, not one with %s', (_what, text) => {
    expect(() => readVerifierKey(text)).toThrow('The key of the log')
  })

  it.each([
    ['no blank line', note.replace('\n\n', '\n')],
    ['a control character', note.replace('an', 'a\tn')],
    ['a line that is none', `${note}signed by me\n`],
    ['no end', note.slice(0, -1)],
  ])('is none with %s', (_what, text) => {
    expect(() => readNote(text)).toThrow('The checkpoint')
  })
})

describe('a checkpoint', () => {
  const log = logOf(5)
  const key = readVerifierKey(log.key.text)

  it('is opened with its key, and names who else has signed it', async () => {
    const witness = sampleKey('witness.example.com')
    const [body] = log.checkpoint().split('\n\n')
    const signed = log.checkpoint() + witness.line(`${body}\n`)
    const checkpoint = await openCheckpoint(signed, key)
    expect([checkpoint.size, checkpoint.origin]).toEqual([5, 'play.example.com/log'])
    expect(cosignersOf(checkpoint, key)).toEqual(['witness.example.com'])
  })

  it.each([
    ['another key of the same name', () => sampleLog(log.entries).checkpoint(), 'not signed'],
    ['a size that was changed', () => log.checkpoint().replace('\n5\n', '\n6\n'), 'is false'],
    [
      'another name',
      () => sampleLog(log.entries, sampleKey('other.example.com')).checkpoint(),
      'of another log',
    ],
    ['a size that is none', () => log.checkpoint().replace('\n5\n', '\n05\n'), 'does not say'],
  ])('with %s is refused', async (_what, text, sentence) => {
    await expect(openCheckpoint(text(), key)).rejects.toThrow(sentence)
  })
})

describe('a proof of the log', () => {
  const log = logOf(300)
  const entry = utf8('entry 7')

  it('leads from its entry to the root', () => {
    for (const index of [0, 1, 255, 256, 299]) {
      const proof = readLogProof(log.proof(index))
      expect(leadsToRoot(utf8(`entry ${index}`), proof)).toBe(true)
    }
    expect(leadsToRoot(utf8('entry 0'), readLogProof(logOf(1).proof(0)))).toBe(true)
  })

  it('may hand its entry along', () => {
    const { extra } = readLogProof(log.proof(7, { hasExtra: true }))
    expect(new TextDecoder().decode(extra)).toBe('entry 7')
    expect(readLogProof(log.proof(7)).extra).toBeUndefined()
  })

  it('leads nowhere once entry, place or path was changed', () => {
    const proof = readLogProof(log.proof(7))
    expect(leadsToRoot(utf8('entry 8'), proof)).toBe(false)
    expect(leadsToRoot(entry, { ...proof, index: 6 })).toBe(false)
    expect(leadsToRoot(entry, { ...proof, hashes: proof.hashes.slice(1) })).toBe(false)
    expect(leadsToRoot(entry, { ...proof, hashes: [...proof.hashes, proof.hashes[0]!] })).toBe(
      false,
    )
  })

  it.each([
    ['another form', log.proof(1).replace('@v1', '@v2'), 'in no known form'],
    ['no place', log.proof(1).replace('index 1', 'index 01'), 'cannot be read'],
    ['a hash that is none', log.proof(1).replace(/index 1\n/, 'index 1\nAAAA\n'), 'cannot be read'],
    ['extra data that is none', log.proof(1).replace('index', 'extra =\nindex'), 'cannot be read'],
  ])('with %s is refused', (_what, text, sentence) => {
    expect(() => readLogProof(text)).toThrow(sentence)
  })
})

describe('base64', () => {
  it('has one spelling for every text of bytes', () => {
    expect(bytesOfBase64('AQ==')).toEqual(Uint8Array.of(1))
    for (const text of ['AQ', 'AR==', 'A*==', 'AQ=', 'AQ==\n']) {
      expect(bytesOfBase64(text)).toBeUndefined()
    }
  })
})
