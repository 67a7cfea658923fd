import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { losing, winning } from './opening-samples.fixture.ts'
import {
  button,
  card,
  expectFirstCard,
  frameMs,
  open,
  openToResults,
  pass,
  title,
} from './opening-scene.fixture.tsx'

let addresses: string[]
let revoked: string[]

beforeEach(() => {
  vi.useFakeTimers()
  addresses = []
  revoked = []
  vi.stubGlobal(
    'URL',
    Object.assign(URL, {
      createObjectURL: () => {
        addresses.push(`blob:${addresses.length}`)
        return addresses.at(-1)
      },
      revokeObjectURL: (address: string) => revoked.push(address),
    }),
  )
})

afterEach(() => {
  // The live region's clock outlives a test; what a step says is said once its effects have run.
  pass(5000)
  pass(1000)
})

describe('the opening step', () => {
  it("shows 'Opening {pack type name}...' with the pack image", () => {
    open([losing()])
    expect(title()).toBe('Opening Crown Pack...')
    expect(document.querySelector('[data-part]')).toBeNull()
    pass(frameMs)
    expect(document.querySelector('[data-part="pack-top"] img')?.getAttribute('src')).toBe(
      '/art/pack-crown.svg',
    )
    // What comes later in the slot lies above: the card comes out behind the front half.
    const slot = document.querySelector('.stage-slot')?.children ?? []
    const parts = Array.from(slot, (part) => part.getAttribute('data-part'))
    expect(parts).toEqual(['slit', 'card', 'pack-bottom', 'pack-top'])
  })

  it('lasts 2 seconds, then the results show', () => {
    open([losing()])
    pass(1999)
    expect(title()).toBe('Opening Crown Pack...')
    expect(card()).toBeNull()
    pass(1)
    expectFirstCard()
  })

  it('lays out the first card, which waits out of sight with its film and its burst', () => {
    const films: { id: string; plays: number }[] = []
    Element.prototype.animate = () => {
      const film = { id: '', plays: 0, pause() {}, cancel() {}, play: () => (film.plays += 1) }
      films.push(film)
      return film as unknown as Animation
    }
    const played = () =>
      films.filter(({ id }) => id.startsWith('reveal:')).map(({ plays }) => plays > 0)
    try {
      open([winning({ name: 'Hoodie' })])
      for (let frame = 0; frame < 6; frame += 1) pass(frameMs)
      pass(1999 - 6 * frameMs)
      expect(screen.getByText('Hoodie')).toBeDefined()
      expect(card()).toBeNull()
      expect(new Set(played())).toEqual(new Set([false]))
      expect(document.querySelector('.burst-sprite')).toBeNull()
      pass(frameMs)
      expect(card()).not.toBeNull()
      expect(new Set(played())).toEqual(new Set([true]))
      pass(1500)
      expect(document.querySelectorAll('.burst-sprite')).toHaveLength(24)
    } finally {
      cleanup()
      Reflect.deleteProperty(Element.prototype, 'animate')
    }
  })

  /** A pointer that comes over the pack, goes down on it, and up there or far to the right. */
  const point = (...places: number[]) => {
    const scene = document.querySelector('.opening-scene')
    const moves = places.map((x) => ['pointermove', x] as const)
    const last = places.at(-1) ?? 0
    const course = [['pointermove', 90], ['pointerdown', 0], ...moves, ['pointerup', last]] as const
    for (const [type, clientX] of course) {
      const event = new MouseEvent(type, { clientX, bubbles: true })
      fireEvent(scene!, Object.assign(event, { pointerId: 1, isPrimary: true }))
    }
  }
  const press = (key: string) => fireEvent.keyDown(document.activeElement!, { key })

  it.each([
    { by: 'Space', end: () => press(' ') },
    { by: 'Enter', end: () => press('Enter') },
    { by: 'a tap', end: () => point() },
    { by: 'the swipe that tears', end: () => point(10, 60) },
  ])('is ended by $by: the first tears the pack, the second shows the results', ({ end }) => {
    open([losing()])
    pass(200)
    end()
    pass(599)
    expect(card()).toBeNull()
    pass(1)
    expectFirstCard()
    cleanup()

    open([losing(), losing()])
    pass(200)
    end()
    pass(100)
    end()
    pass(1)
    expect(card()).not.toBeNull()
    pass(frameMs)
    expect(title()).toBe('Result 1 of 2')
  })

  it('is ended by one press once the pack has torn by itself', () => {
    open([losing()])
    pass(1500)
    expect(card()).toBeNull()
    press('Enter')
    pass(1)
    expectFirstCard()
  })

  it('is not torn by the key that opened it and is still held', () => {
    open([losing()])
    fireEvent.keyDown(screen.getByRole('heading', { level: 2 }), { key: 'Enter', repeat: true })
    pass(1999)
    expect(title()).toBe('Opening Crown Pack...')
  })

  it('lasts as long when no animation runs', () => {
    localStorage.setItem('redpack:reduced-motion', 'on')
    open([losing()])
    pass(frameMs)
    expect(screen.getByRole('progressbar', { name: 'Opening' })).toBeDefined()
    pass(1999 - frameMs)
    expect(card()).toBeNull()
    pass(1)
    expectFirstCard()
  })

  it('draws a pack with its icon when the picture is broken', () => {
    open([losing()])
    pass(frameMs)
    fireEvent.error(document.querySelector('[data-part="pack-top"] img')!)
    expect(document.querySelector('[data-part="pack-top"] [data-icon="crown"]')).not.toBeNull()
  })

  it('closes at once on Escape, with nothing seen', () => {
    const { onClose } = open([losing(), losing()])
    pass(500)
    fireEvent.keyDown(document.activeElement!, { key: 'Escape' })
    expect(onClose).toHaveBeenCalledExactlyOnceWith(0)
  })

  it('has the focus on its heading, and on the button once there is one', () => {
    open([losing()])
    pass(1)
    expect(document.activeElement?.textContent).toBe('Opening Crown Pack...')
    pass(2000)
    pass(frameMs)
    pass(1)
    expect(document.activeElement).toBe(button('Close'))
  })
})

describe('the results', () => {
  it("show one at a time as 'Result X of N'; 'Next Result' goes on", () => {
    openToResults([losing(5), winning({ name: 'Hoodie' }), losing(7)])
    expect(title()).toBe('Result 1 of 3')
    expect(screen.queryByText('Hoodie')).toBeNull()
    fireEvent.click(button('Next Result'))
    expect(title()).toBe('Result 2 of 3')
    expect(screen.getByText('Hoodie')).toBeDefined()
  })

  it("close by the same button, which reads 'Close' on the last result", () => {
    const { onClose } = openToResults([losing(), losing()])
    const next = button('Next Result')
    fireEvent.click(next)
    expect(button('Close')).toBe(next)
    expect(screen.queryByRole('button', { name: 'Skip to End' })).toBeNull()
    expect(onClose).not.toHaveBeenCalled()
    fireEvent.click(next)
    expect(onClose).toHaveBeenCalledExactlyOnceWith(2)
  })

  it("close by 'Skip to End'", () => {
    const { onClose } = openToResults([losing(), losing(), losing()])
    fireEvent.click(button('Skip to End'))
    expect(onClose).toHaveBeenCalledExactlyOnceWith(1)
  })

  it('drop none of 50, however fast the button is pressed', () => {
    const results = Array.from({ length: 50 }, (_, index) =>
      index % 7 === 0 ? winning({ name: `Prize ${index}` }) : losing(index),
    )
    const { onSeen, onClose } = openToResults(results)
    for (const [index, result] of results.entries()) {
      expect(title()).toBe(`Result ${index + 1} of 50`)
      const text = result.won ? `Prize ${index}` : `+${index} RedCoin`
      expect(document.querySelector('.card-front')?.textContent).toContain(text)
      fireEvent.click(button(index === 49 ? 'Close' : 'Next Result'))
    }
    expect(onSeen.mock.calls.map(([seen]) => seen)).toEqual(results.map((_, index) => index + 1))
    expect(onClose).toHaveBeenCalledExactlyOnceWith(50)
  })

  it('go on by the right arrow, by Space and by a swipe to the left', () => {
    openToResults([losing(), losing(), losing(), losing()])
    fireEvent.keyDown(button('Next Result'), { key: 'ArrowRight' })
    expect(title()).toBe('Result 2 of 4')
    fireEvent.keyDown(screen.getByRole('heading', { level: 2 }), { key: ' ' })
    expect(title()).toBe('Result 3 of 4')
    const card = document.querySelector('.card-front')!
    const touch = { pointerType: 'touch', isPrimary: true, pointerId: 1 }
    const at = (type: string, x: number) =>
      Object.assign(new MouseEvent(type, { bubbles: true, clientX: x, clientY: 10 }), touch)
    fireEvent(card, at('pointerdown', 200))
    fireEvent(card, at('pointerup', 120))
    expect(title()).toBe('Result 4 of 4')
  })

  it('go on by Enter before the button has taken the focus, and then once by the button', () => {
    openToResults([losing(), losing(), losing()])
    fireEvent.keyDown(screen.getByRole('heading', { level: 2 }), { key: 'Enter' })
    expect(title()).toBe('Result 2 of 3')
    fireEvent.keyDown(button('Next Result'), { key: 'Enter' })
    expect(title()).toBe('Result 2 of 3')
  })

  it.each([' ', 'Enter', 'ArrowRight'])(
    'are not passed over by a late press to tear: %s',
    (key) => {
      const { onClose } = open([losing()])
      pass(2000)
      const heading = screen.getByRole('heading', { level: 2 })
      expect(title()).toBe('Opening Crown Pack...')
      fireEvent.keyDown(heading, { key })
      pass(frameMs)
      expect(title()).toBe('Result 1 of 1')
      expect(onClose).not.toHaveBeenCalled()
      fireEvent.keyDown(heading, { key })
      expect(onClose).toHaveBeenCalledTimes(1)
    },
  )

  it('leave Space on a button to the button', () => {
    openToResults([losing(), losing()])
    fireEvent.keyDown(button('Sound'), { key: ' ' })
    expect(title()).toBe('Result 1 of 2')
  })

  it('stay open when a key is held beyond the last one', () => {
    const { onClose } = openToResults([losing(), losing()])
    fireEvent.keyDown(button('Next Result'), { key: 'ArrowRight', repeat: true })
    fireEvent.keyDown(button('Close'), { key: 'ArrowRight', repeat: true })
    expect(fireEvent.keyDown(button('Close'), { key: 'Enter', repeat: true })).toBe(false)
    expect(onClose).not.toHaveBeenCalled()
  })

  it('continue with the first unseen one, without the opening step', () => {
    const { onSeen } = open([losing(1), losing(2), losing(3)], 2)
    pass(frameMs)
    expect(title()).toBe('Result 3 of 3')
    expect(screen.getByText('+3 RedCoin')).toBeDefined()
    expect(onSeen).toHaveBeenCalledExactlyOnceWith(3)
    pass(1)
    expect(document.activeElement).toBe(button('Close'))
  })

  it('are read out with place, prize and Claim ID', () => {
    openToResults([winning(), losing(5), winning({ name: 'Chest', claimId: 'PR-9', redCoin: 500 })])
    const region = () => document.querySelector('[aria-live="polite"]')?.textContent
    for (const said of [
      'Result 1 of 3. Prize won: Hoodie. Claim ID PR-7KQ2MX4A.',
      'Result 2 of 3. No prize. 5 RedCoin earned.',
      'Result 3 of 3. Prize won: Chest. 500 RedCoin. Claim ID PR-9.',
    ]) {
      expect(region()).toBe(said)
      fireEvent.click(screen.getByRole('button', { name: /^(Next Result|Close)$/ }))
      pass(500)
    }
  })
})

describe('a winning result', () => {
  const hoodie = winning({
    name: 'Hoodie',
    description: 'Heavy cotton.',
    claimId: 'PR-7KQ2MX4A',
    claimInstructions: 'Write to us with your size.',
    imageData: btoa('picture'),
  })

  it('shows title, name, description, Claim ID and how to claim', () => {
    openToResults([hoodie])
    for (const text of ['🎉 Prize Won!', 'Hoodie', 'Heavy cotton.', 'PR-7KQ2MX4A']) {
      expect(screen.getByText(text)).toBeDefined()
    }
    const claim = screen.getByText('How to Claim').parentElement!
    expect(within(claim).getByText('Write to us with your size.')).toBeDefined()
    expect(button('Copy Claim ID')).toBeDefined()
  })

  it('shows the prize image, made once for all results that share it', () => {
    openToResults([hoodie, losing(), { ...hoodie, claimId: 'PR-SECOND22' }])
    expect(document.querySelector('.card-picture img')?.getAttribute('src')).toBe('blob:0')
    fireEvent.click(button('Next Result'))
    fireEvent.click(button('Next Result'))
    expect(document.querySelector('.card-picture img')?.getAttribute('src')).toBe('blob:0')
    expect(addresses).toEqual(['blob:0'])
  })

  it('shows an image that is not in the answer from where it is served', () => {
    const prize = { ...hoodie.prize!, imageData: null, imageUrl: '/uploads/a.webp' }
    openToResults([{ ...hoodie, prize }])
    expect(document.querySelector('.card-picture img')?.getAttribute('src')).toBe('/uploads/a.webp')
    expect(addresses).toEqual([])
  })

  it('shows an icon without an image and when the image fails to load', () => {
    openToResults([
      winning({ claimId: 'PR-FIRST222' }),
      hoodie,
      winning({ claimId: 'PR-THIRD222', imageData: '%%%' }),
    ])
    expect(document.querySelector('.card-picture-icon svg')).not.toBeNull()
    fireEvent.click(button('Next Result'))
    expect(document.querySelector('.card-picture-icon')).toBeNull()
    fireEvent.error(document.querySelector('.card-picture img')!)
    expect(document.querySelector('.card-picture-icon svg')).not.toBeNull()
    fireEvent.click(button('Next Result'))
    expect(document.querySelector('.card-picture-icon svg')).not.toBeNull()
  })

  it("is called 'Mystery Prize' without a name, and says how to claim only when there is a way", () => {
    openToResults([winning({ name: '', claimInstructions: '' })])
    expect(screen.getByText('Mystery Prize')).toBeDefined()
    expect(screen.queryByText('How to Claim')).toBeNull()
  })
})

describe('a result without a prize', () => {
  it('says what it earned, also when that is 0, and a kind word', () => {
    openToResults([losing(1500), losing(0)])
    for (const text of [
      'Pack Opened',
      'RedCoin Earned!',
      '+1500 RedCoin',
      'Better luck next time! Keep opening packs for more chances to win prizes.',
    ]) {
      expect(screen.getByText(text)).toBeDefined()
    }
    fireEvent.click(button('Next Result'))
    expect(screen.getByText('+0 RedCoin')).toBeDefined()
  })
})

describe('the cue below what is cut off', () => {
  it('goes by the newest of what was seen when a busy page hears it all at once', () => {
    let tell: (seen: readonly { isIntersecting: boolean }[]) => void = () => undefined
    const watch = vi.fn(function watch(this: object, callback: typeof tell) {
      tell = callback
      Object.assign(this, { observe: () => undefined, disconnect: () => undefined })
    })
    vi.stubGlobal('IntersectionObserver', watch)
    openToResults([winning()])
    act(() => tell([{ isIntersecting: true }, { isIntersecting: false }]))
    expect(screen.getByText('More below')).toBeDefined()
    act(() => tell([{ isIntersecting: false }, { isIntersecting: true }]))
    expect(screen.queryByText('More below')).toBeNull()
  })
})

describe('an opening without results', () => {
  it('says so and closes', () => {
    const { onClose } = openToResults([])
    expect(title()).toBe('No Results')
    expect(screen.getByText('Pack opening completed but no results were returned.')).toBeDefined()
    fireEvent.click(button('Close'))
    expect(onClose).toHaveBeenCalledExactlyOnceWith(0)
  })
})

describe('the end of a batch', () => {
  it('sums the opening up on the last result, with every prize and its Claim ID', () => {
    openToResults([winning({ name: 'Hoodie', claimId: 'PR-A' }), losing(5), losing(5)])
    expect(screen.queryByRole('region', { name: 'Your opening' })).toBeNull()
    fireEvent.click(button('Next Result'))
    fireEvent.click(button('Next Result'))
    // The card is drawn first, and what stands beside it a frame later.
    pass(frameMs)
    const summary = within(screen.getByRole('region', { name: 'Your opening' }))
    for (const text of ['3 opened', '+10', 'Hoodie', 'PR-A']) {
      expect(summary.getByText(text)).toBeDefined()
    }
  })
})

describe('the switches', () => {
  it('are off until chosen, and are kept', () => {
    open([losing()])
    pass(frameMs)
    expect(button('Sound').getAttribute('aria-pressed')).toBe('false')
    fireEvent.click(button('Sound'))
    fireEvent.click(button('Reduce motion'))
    expect(button('Sound').getAttribute('aria-pressed')).toBe('true')
    expect(localStorage.getItem('redpack:opening-sound')).toBe('on')
    expect(localStorage.getItem('redpack:reduced-motion')).toBe('on')
    expect(screen.getByRole('progressbar', { name: 'Opening' })).toBeDefined()
  })

  it('leave the motion to the system where it asks for less', () => {
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: query === '(prefers-reduced-motion: reduce)',
      addEventListener() {},
      removeEventListener() {},
    }))
    open([losing()])
    pass(frameMs)
    expect(screen.queryByRole('button', { name: 'Reduce motion' })).toBeNull()
    expect(screen.getByRole('progressbar', { name: 'Opening' })).toBeDefined()
  })
})
