// Six weeks of a community as a plan: who does what and when, the same for the same end and length.
// Only who wins what is left to the draws.

import { type DemoPackKey, demoListings } from './catalogue.ts'
import { broadcastNow, broadcastsOf } from './story-broadcasts.ts'
import { minuteMillis, StoryCalendar, StoryDice, type StoryLength } from './story-calendar.ts'
import type { Ask, Name, StoryAct, StoryEvent } from './story-events.ts'
import { eventNight, filesOfDay, type Gifts, staffDay } from './story-staff.ts'
import { demoViewers } from './viewers.ts'

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

/** The share of the story after which somebody is blocked. */
const blockedAt = 0.55
const discordPausedDaysBeforeEnd = 2
const rewardOfPost = 25
/** All of it is over that long before the story ends. */
const endMillis = 1000
/** Days in which a deadline begins, and passes. */
const deadlineRoomDays = 3
/** Before each group opens together on the event night. */
const waves = [4, 14, 31]

const prices = new Map(demoListings.map(({ packType, redCoinPrice }) => [packType, redCoinPrice]))
const costOf = (packType: DemoPackKey, quantity: number) => (prices.get(packType) ?? 0) * quantity
/** How many of a kind the whole story buys at most, so that a limited listing is worth its name. */
const soldMax: Readonly<Partial<Record<DemoPackKey, number>>> = { crown: 60, nebula: 15, vault: 7 }

/** The whole story in the order of time, and none of it after `length.until`. */
export function planStory(length: StoryLength): readonly StoryEvent[] {
  return new Planner(new StoryCalendar(length)).plan()
}

class Planner {
  private readonly calendar: StoryCalendar
  private readonly dice = new StoryDice(20_260)
  private readonly purses = new Purses()
  private readonly sold = new Map<DemoPackKey, number>()
  private events: StoryEvent[] = []

  constructor(calendar: StoryCalendar) {
    this.calendar = calendar
  }

  plan(): readonly StoryEvent[] {
    const { calendar } = this
    for (let day = 0; day < calendar.days; day += 1) {
      this.joins(day)
      if (day > 0) this.gifts(filesOfDay(calendar, day, this.earners(day), this.dice))
      this.events.push(...staffDay(calendar, day))
      if (day > 0) this.visits(day)
      this.night(day)
      this.broadcasts(day)
      this.discord(day)
      this.purses.endDay()
    }
    this.once()
    this.present()
    return this.inOrder()
  }

  private add(at: number, act: StoryAct): void {
    this.events.push({ at: Math.round(at), act })
  }

  private joinDay(viewer: Name): number {
    const { joinsAt } = demoViewers.find(({ username }) => username === viewer) ?? { joinsAt: 1 }
    return Math.floor(joinsAt * (this.calendar.days - 1))
  }

  /** Those who are there since yesterday at least. */
  private there(day: number) {
    return demoViewers.filter(({ username }) => this.joinDay(username) < day)
  }

  private earners(day: number): Name[] {
    return this.there(day)
      .filter(({ isBlocked }) => !isBlocked)
      .map(({ username }) => username)
  }

  private joins(day: number): void {
    const isGreeted = day > 0
    for (const [index, viewer] of demoViewers.entries()) {
      if (this.joinDay(viewer.username) !== day) continue
      const at = day === 0 ? this.calendar.at(0, 8, index) : this.calendar.at(day, 9, 5 + index)
      this.add(at, { kind: 'join', viewer: viewer.username, isGreeted })
      this.purses.earn(viewer.username, viewer.startingRedCoin)
      if (viewer.isStaff) {
        this.add(this.calendar.at(0, 8, 40), { kind: 'make_staff', viewer: viewer.username })
      }
    }
    if (day > 0) return
    const rows = demoViewers
      .filter(({ username }) => this.joinDay(username) === 0)
      .map(({ username, startingRedCoin }) => [username, startingRedCoin] as const)
    this.add(this.calendar.at(0, 9), {
      kind: 'give_by_file',
      fileName: 'loyalty-points-carried-over.csv',
      packType: undefined,
      rows,
    })
  }

  private gifts({ events, redCoin, packs }: Gifts): void {
    this.events.push(...events)
    for (const [viewer, amount] of redCoin) this.purses.earn(viewer, amount)
    for (const ask of packs) this.purses.receive(ask)
  }

  private visits(day: number): void {
    const { calendar, dice } = this
    const there = this.there(day)
    const moments = Array.from({ length: calendar.visits(day) }, () => calendar.moment(day, dice))
    for (const at of moments.toSorted((one, other) => one - other)) {
      const viewer = dice.pick(there.filter(({ keenness }) => dice.isBelow(keenness)))
      if (viewer !== undefined) this.visit(viewer.username, viewer.startingRedCoin, at)
    }
  }

  /** Opens what is there, else buys something and opens some of it. */
  private visit(viewer: Name, startingRedCoin: number, at: number): void {
    const held = this.dice.pick(this.purses.held(viewer))
    if (held !== undefined) {
      const [packType, quantity] = held
      this.open({ viewer, packType, quantity: Math.min(quantity, this.handful()) }, at)
      return
    }
    const bought = this.purchase(viewer, startingRedCoin)
    if (bought === undefined) return
    this.add(at, { kind: 'buy', ...bought })
    const isPatient = this.dice.isBelow(0.4)
    const opened = isPatient ? this.dice.whole(1, bought.quantity) : bought.quantity
    const later = at + this.dice.whole(40, 400) * 1000
    this.add(later, { kind: 'open', asks: [{ ...bought, quantity: opened }] })
    if (opened < bought.quantity) {
      this.purses.receive({ ...bought, quantity: bought.quantity - opened })
    }
  }

  private handful(): number {
    return this.dice.pick([1, 2, 3, 5, 5, 10]) ?? 1
  }

  private open(ask: Ask, at: number): void {
    this.purses.use(ask)
    this.add(at, { kind: 'open', asks: [ask] })
  }

  private purchase(viewer: Name, startingRedCoin: number): Ask | undefined {
    const { dice, purses } = this
    const free = purses.redCoinOf(viewer) - Math.max(60, Math.round(startingRedCoin * 0.2))
    const wishes: readonly (readonly [DemoPackKey, number])[] = [
      ['starter', dice.whole(4, 10)],
      ['starter', dice.whole(1, 5)],
      ['lucky', dice.whole(2, 5)],
      ['lucky', 1],
      ['crown', dice.whole(1, 3)],
      ['nebula', 1],
      ['vault', 1],
    ]
    const affordable = wishes.filter(([packType, quantity]) => {
      const isLeft = (this.sold.get(packType) ?? 0) + quantity <= (soldMax[packType] ?? 9_999)
      return isLeft && costOf(packType, quantity) <= free
    })
    const wish = dice.pick(affordable)
    if (wish === undefined) return undefined
    const [packType, quantity] = wish
    purses.pay(viewer, costOf(packType, quantity))
    return { viewer, packType, quantity }
  }

  private night(day: number): void {
    if (day !== this.calendar.eventNight) return
    const there = this.there(day).map(({ username }) => username)
    const { events, asks } = eventNight(this.calendar, day, there)
    this.events.push(...events)
    const size = Math.ceil(asks.length / waves.length)
    for (const [wave, minute] of waves.entries()) {
      const together = asks.slice(wave * size, (wave + 1) * size)
      this.add(this.calendar.at(day, 20, minute), { kind: 'open', asks: together })
    }
  }

  private broadcasts(day: number): void {
    for (const on of broadcastsOf(this.calendar, day, this.earners(day), this.dice)) {
      this.events.push(...on.events)
      for (const viewer of on.completed) {
        this.purses.earn(viewer, on.stream.rewardRedCoinAmount)
        for (const { packType, packQuantity: quantity } of on.stream.rewards) {
          this.purses.receive({ viewer, packType, quantity })
        }
      }
    }
  }

  private discord(day: number): void {
    const { calendar, dice } = this
    const lastDay = calendar.lastDay - discordPausedDaysBeforeEnd
    if (day === 0) this.add(calendar.at(0, 10), { kind: 'start_discord' })
    if (day === lastDay + 1) this.add(calendar.at(day, 19, 10), { kind: 'pause_discord' })
    if (day > lastDay) return
    this.add(calendar.at(day, 19, 6), { kind: 'post_reward' })
    const linked = demoViewers.filter(({ username, discordId, isBlocked }) => {
      return discordId !== null && !isBlocked && this.joinDay(username) <= day
    })
    const most = calendar.isWeekend(day) ? 7 : 5
    for (const { username } of dice.some(linked, dice.whole(1, most))) {
      const at = calendar.at(day, 19, 8) + dice.whole(0, 240) * minuteMillis
      this.add(at, { kind: 'claim_reward', viewer: username })
      this.purses.earn(username, rewardOfPost)
    }
  }

  /** What happens once, at its share of the story. */
  private once(): void {
    const { calendar } = this
    for (const { username, isBlocked } of demoViewers) {
      if (!isBlocked) continue
      const day = Math.max(calendar.dayAt(blockedAt), this.joinDay(username))
      const reason = 'Two accounts of one person watched the same streams'
      this.add(calendar.at(day, 14, 20), { kind: 'block_earning', viewer: username, reason })
      const text = 'Asked about the second account by mail; no answer so far.'
      this.add(calendar.at(day, 14, 26), { kind: 'write_note', viewer: username, text })
    }
    const shown = { viewer: 'rustyrocket', name: 'Rocket', reason: 'The name of somebody else' }
    this.add(calendar.at(calendar.dayAt(0.6), 14, 40), { kind: 'replace_name', ...shown })
  }

  /** What is under way in the moment in which the story ends. */
  private present(): void {
    const { until, lastDay } = this.calendar
    this.events.push(...broadcastNow(until, this.earners(lastDay), this.dice))
    this.add(until - 25 * minuteMillis, { kind: 'say_addresses' })
    this.add(until - 12 * minuteMillis, { kind: 'work_on_claims', deletes: true, isLast: true })
    // Last of all: who is suspended opens nothing any more.
    const reason = 'Sold prizes for money'
    for (const { username: viewer } of demoViewers.filter(({ isBlocked }) => isBlocked)) {
      this.add(until - endMillis, { kind: 'suspend', viewer, reason })
    }
  }

  private inOrder(): readonly StoryEvent[] {
    const { calendar } = this
    const until = calendar.until - endMillis
    const told = this.events.filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at)
    const sold = new Map<DemoPackKey, number>()
    for (const { act } of told) {
      if (act.kind !== 'buy') continue
      sold.set(act.packType, (sold.get(act.packType) ?? 0) + act.quantity)
    }
    const deadlineDaysMax = calendar.days - deadlineRoomDays
    const act = { kind: 'found', sold, deadlineDaysMax } as const
    return [{ at: calendar.at(0, 7, 45), act }, ...told]
  }
}
