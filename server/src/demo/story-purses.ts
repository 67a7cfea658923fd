// What each viewer of the story is sure to have, whatever luck the draws bring: the plan spends
// nothing else, so the same story can always be told.

import type { DemoPackKey } from './catalogue.ts'
import type { Ask, Name } from './story-events.ts'

class Purse {
  redCoin = 0
  readonly packs = new Map<DemoPackKey, number>()
}

/** What comes in on a day may be spent from the next day on, so its hour does not matter. */
export class Purses {
  private readonly now = new Map<Name, Purse>()
  private readonly tomorrow: (() => void)[] = []

  private of(viewer: Name): Purse {
    const found = this.now.get(viewer) ?? new Purse()
    this.now.set(viewer, found)
    return found
  }

  earn(viewer: Name, redCoin: number): void {
    this.tomorrow.push(() => {
      this.of(viewer).redCoin += redCoin
    })
  }

  receive({ viewer, packType, quantity }: Ask): void {
    this.tomorrow.push(() => {
      const { packs } = this.of(viewer)
      packs.set(packType, (packs.get(packType) ?? 0) + quantity)
    })
  }

  endDay(): void {
    for (const arrive of this.tomorrow.splice(0)) arrive()
  }

  redCoinOf(viewer: Name): number {
    return this.of(viewer).redCoin
  }

  held(viewer: Name): [DemoPackKey, number][] {
    return [...this.of(viewer).packs].filter(([, quantity]) => quantity > 0)
  }

  pay(viewer: Name, redCoin: number): void {
    this.of(viewer).redCoin -= redCoin
  }

  use({ viewer, packType, quantity }: Ask): void {
    const { packs } = this.of(viewer)
    packs.set(packType, (packs.get(packType) ?? 0) - quantity)
  }
}
