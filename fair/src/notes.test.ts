// Notes, keys and cosignatures against the examples of the specifications.

import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { base64Of, bytesOfBase64, utf8 } from './bytes.ts'
import { portableHashing } from './hashing.ts'
import {
  addCheckpointText,
  checkpointText,
  cosignedText,
  isSigned,
  logProofText,
  openCheckpoint,
  parseCheckpoint,
  parseCosignature,
  parseNote,
  parseVerifierKey,
  signatureLine,
  signatureTypes,
  verifierKey,
  verifierKeyText,
} from './notes.ts'

const { sha256 } = portableHashing
const vkey = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k'
const note = `This is an example message.\n
— example.com/foo ${[
  'Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONn',
  'cAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=',
].join('')}
`
const checkpoint = `example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— example.com/behind-the-sofa ${[
  'Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeO',
  'oRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=',
].join('')}
— witness.example.com/w1 ${[
  'jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHe',
  'olMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==',
].join('')}
`

describe('keys and notes', () => {
  it('are read and spelled as in the example of the specification', async () => {
    const key = parseVerifierKey(vkey, sha256)!
    expect(key).toMatchObject({ name: 'example.com/foo', type: signatureTypes.ed25519 })
    expect(verifierKeyText(key)).toBe(vkey)
    const { text, signatures } = parseNote(note)!
    expect(signatures).toHaveLength(1)
    const [signature] = signatures
    expect([...signature!.id]).toEqual([...key.id])
    expect(await isSigned(key.publicKey, utf8(text), signature!.signature)).toBe(true)
    expect(`${text}\n${signatureLine(key, signature!.signature)}`).toBe(note)
  })

  const textOf = (name: string, type: number, length: number) =>
    verifierKeyText(verifierKey(name, type, new Uint8Array(length), sha256))

  it('refuse keys whose id is not theirs, and other forms', () => {
    for (const wrong of [
      vkey.replace('530d903a', '530d903b'),
      vkey.replace('+530d903a', ''),
      vkey.replace('+Aek', '+Bek'),
      `of+${vkey}`,
      `${vkey} `,
      '',
      // Their ids are right.
      textOf('example com', signatureTypes.ed25519, 32),
      textOf('w', signatureTypes.ed25519, 31),
      textOf('w', 9, 32),
    ]) {
      expect(parseVerifierKey(wrong, sha256)).toBeUndefined()
    }
    const witness = verifierKey('w', signatureTypes.cosignature, new Uint8Array(32), sha256)
    expect(parseVerifierKey(verifierKeyText(witness), sha256)).toEqual({
      ...witness,
      id: expect.anything(),
    })
  })

  it('refuse notes that are cut, unsigned or hold control characters', () => {
    for (const wrong of [
      'no signature\n',
      `${note.slice(0, -1)}x`,
      note.replace('— ', '- '),
      note.replace('example message', 'example\tmessage'),
      note.replace('Uw2Q', 'Uw2*'),
    ]) {
      expect(parseNote(wrong)).toBeUndefined()
    }
  })
})

describe('checkpoints', () => {
  it('are read and spelled as in the example of the specification', () => {
    const { text, signatures } = parseNote(checkpoint)!
    const parsed = parseCheckpoint(text)!
    expect(parsed).toMatchObject({ origin: 'example.com/behind-the-sofa', size: 20_852_163 })
    expect(checkpointText(parsed)).toBe(text)
    expect(signatures.map(({ name }) => name)).toEqual([
      'example.com/behind-the-sofa',
      'witness.example.com/w1',
    ])
    const { signature } = signatures[1]!
    const cosignature = parseCosignature(signature)!
    expect(cosignature.seconds).toBe(1_679_315_147)
    expect(parseCosignature(signature.slice(1))).toBeUndefined()
    for (const seconds of [0, 255]) {
      expect(parseCosignature(signature.slice().fill(seconds, 0, 8))).toBeUndefined()
    }
    expect(cosignedText(text, cosignature.seconds)).toBe(`cosignature/v1\ntime 1679315147\n${text}`)
  })

  it('name the others who say that they signed, each once', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
    const log = verifierKey('log.example', signatureTypes.ed25519, raw, sha256)
    const text = checkpointText({ origin: log.name, size: 1, root: new Uint8Array(32) })
    const own = signatureLine(log, sign(null, Buffer.from(text), privateKey))
    const by = (name: string) =>
      signatureLine(verifierKey(name, signatureTypes.cosignature, raw, sha256), new Uint8Array(72))
    const opened = await openCheckpoint(`${text}\n${own}${by('a')}${by('b')}${by('a')}`, log)
    expect(opened).toMatchObject({ size: 1, cosigners: ['a', 'b'] })
    expect((await openCheckpoint(`${text}\n${own}`, log)).cosigners).toEqual([])
  })

  it.each([
    ['no size', 'o\n\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n'],
    ['a size with a zero in front', 'o\n01\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n'],
    ['a short root', 'o\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jx\n'],
    ['no end', 'o\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I='],
    ['an empty extension', 'o\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\nx\n'],
  ])('are not read with %s', (_what, text) => {
    expect(parseCheckpoint(text)).toBeUndefined()
  })

  it('stand at the end of proofs and of what witnesses are sent', () => {
    const hash = new Uint8Array(32)
    expect(logProofText({ index: 7, entry: utf8('{}') }, [hash], note)).toBe(
      `c2sp.org/tlog-proof@v1\nextra e30=\nindex 7\n${base64Of(hash)}\n\n${note}`,
    )
    expect(addCheckpointText(0, [], note)).toBe(`old 0\n\n${note}`)
    expect(bytesOfBase64('AB=')).toBeUndefined()
    expect(bytesOfBase64('AB==')).toBeUndefined()
  })
})
