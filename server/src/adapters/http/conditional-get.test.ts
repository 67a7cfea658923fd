import { describe, expect, it } from 'vitest'
import { ConditionalGet } from './conditional-get.ts'

/** A database of which a test says when something was committed. */
function scene(bytesMax?: number) {
  const state = {
    snapshot: 1,
    version: undefined as string | undefined,
    value: 'a',
    snapshotsRead: 0,
    builds: 0,
  }
  const db = {
    run: async <Row>() => {
      state.snapshotsRead += 1
      return [{ snapshot: String(state.snapshot) }] as Row[]
    },
  }
  const answers = new ConditionalGet(db, bytesMax)
  const build = async () => {
    state.builds += 1
    return { text: JSON.stringify(state.value), version: state.version }
  }
  const read = async (key = 'k', version?: () => Promise<string | undefined>) =>
    JSON.parse((await answers.get(key, { build, version })).body.toString())
  return { state, answers, build, read }
}

describe('a changing answer', () => {
  it('is built again only after something was committed', async () => {
    const { state, read } = scene()
    expect([await read(), await read()]).toEqual(['a', 'a'])
    expect(state.builds).toBe(1)
    state.value = 'b'
    state.snapshot += 1
    expect([await read(), await read()]).toEqual(['b', 'b'])
    expect(state.builds).toBe(2)
  })

  it('keeps its name while its content is the same', async () => {
    const { state, answers, build } = scene()
    const etag = async () => (await answers.get('k', { build })).etag
    const first = await etag()
    state.snapshot += 1
    expect(await etag()).toBe(first)
    state.snapshot += 1
    state.value = 'b'
    expect(await etag()).not.toBe(first)
  })

  it('is not built after a commit that its version says nothing of', async () => {
    const { state, read } = scene()
    const version = async () => state.version
    state.version = '1'
    await read('k', version)
    state.snapshot += 1
    expect(await read('k', version)).toBe('a')
    expect(state.builds).toBe(1)
    state.snapshot += 1
    state.version = '2'
    state.value = 'b'
    expect(await read('k', version)).toBe('b')
    expect(state.builds).toBe(2)
  })

  it('is shared by all who ask while it is built, and never by who asks after a change', async () => {
    const { state, answers } = scene()
    const finish: ((text: string) => void)[] = []
    const build = () =>
      new Promise<{ text: string }>((resolve) => finish.push((text) => resolve({ text })))
    const before = [answers.get('k', { build }), answers.get('k', { build })]
    await expect.poll(() => finish.length).toBe(1)
    state.snapshot += 1
    const after = answers.get('k', { build })
    await expect.poll(() => finish.length).toBe(2)
    finish[1]!('"new"')
    finish[0]!('"old"')
    const texts = (await Promise.all(before)).map(({ body }) => body.toString())
    expect(texts).toEqual(['"old"', '"old"'])
    expect((await after).body.toString()).toBe('"new"')
    expect((await answers.get('k', { build })).body.toString()).toBe('"new"')
  })

  it('costs one look at the database for many callers, each no older than its call', async () => {
    const looks: ((snapshot: string) => void)[] = []
    const db = {
      run: <Row>() =>
        new Promise<Row[]>((resolve) => looks.push((snapshot) => resolve([{ snapshot }] as Row[]))),
    }
    const answers = new ConditionalGet(db)
    let builds = 0
    const build = async () => ({ text: String(++builds) })
    const ask = () => answers.get('k', { build })
    const first = ask()
    await expect.poll(() => looks.length).toBe(1)
    const waiting = Array.from({ length: 50 }, ask)
    looks[0]!('1')
    await first
    await expect.poll(() => looks.length).toBe(2)
    // These came before the second look, which has seen a commit.
    looks[1]!('2')
    const bodies = (await Promise.all(waiting)).map(({ body }) => body.toString())
    expect(new Set(bodies)).toEqual(new Set(['2']))
    expect(looks).toHaveLength(2)
  })

  it('is forgotten when it failed, and the look at the database too', async () => {
    const { state, answers, read } = scene()
    const failing = { build: () => Promise.reject(new Error('no rows')) }
    await expect(answers.get('k', failing)).rejects.toThrow('no rows')
    expect(await read()).toBe('a')
    let isDown = true
    const db = {
      run: async <Row>() => {
        if (isDown) throw new Error('down')
        return [{ snapshot: '1' }] as Row[]
      },
    }
    const others = new ConditionalGet(db)
    await expect(others.get('k', { build: async () => ({ text: '1' }) })).rejects.toThrow('down')
    isDown = false
    expect((await others.get('k', { build: async () => ({ text: '1' }) })).body.toString()).toBe(
      '1',
    )
    expect(state.builds).toBe(1)
  })

  it('makes room by the oldest use', async () => {
    const { state, read } = scene(2_500)
    state.value = 'x'.repeat(500)
    await read('a')
    await read('b')
    await read('a')
    await read('c')
    expect(state.builds).toBe(3)
    await read('a')
    expect(state.builds).toBe(3)
    await read('b')
    expect(state.builds).toBe(4)
  })
})
