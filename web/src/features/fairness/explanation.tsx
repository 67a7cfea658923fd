// How fair draws work, in plain words, and the exact recipe for those who want to compute it.

import { Dices, Hand, Lock, LockOpen, type LucideIcon } from 'lucide-react'
import { Card } from '../../ui/card.tsx'
import { Disclosure } from '../../ui/disclosure.tsx'

interface Step {
  readonly title: string
  readonly text: string
  readonly Icon: LucideIcon
}

const steps: readonly Step[] = [
  {
    title: 'We commit first',
    text: 'The server picks a secret number, the server seed, and shows you its fingerprint. A fingerprint gives nothing away, and nobody can find a second number with the same one. So the secret cannot be swapped later.',
    Icon: Lock,
  },
  {
    title: 'You add your part',
    text: 'Your browser mixes in a random number of its own before the first pack, the client seed. You may type your own. The server had to commit before it could know yours, so neither side can steer a draw.',
    Icon: Hand,
  },
  {
    title: 'Both decide together',
    text: 'Every pack mixes both seeds with a counter. The result is one number, and where it lands among the published odds decides the prize. Every pack counts up by one; none can be left out.',
    Icon: Dices,
  },
  {
    title: 'You check it',
    text: 'When you rotate your seeds, the secret is revealed. Your browser then computes every draw again, compares it with what it remembers, and finds it in the public log. You do not have to take our word for it.',
    Icon: LockOpen,
  },
]

export function Explanation() {
  return (
    <section aria-labelledby="how-title">
      <h2 id="how-title" className="mb-4 text-xl">
        How a draw stays fair
      </h2>
      <ol className="grid list-none gap-4 p-0 sm:grid-cols-2 xl:grid-cols-4">
        {steps.map(({ title, text, Icon }, index) => (
          <li key={title} className="card on-card p-4 sm:p-5">
            <p className="flex items-center gap-3 text-muted">
              <Icon aria-hidden="true" className="size-6 text-accent-text" />
              <span className="font-display font-semibold">Step {index + 1}</span>
            </p>
            <h3 className="mt-3 text-lg">{title}</h3>
            <p className="mt-1 text-muted">{text}</p>
          </li>
        ))}
      </ol>
      <Card className="mt-4 py-2 sm:py-3">
        <Disclosure summary="The exact recipe">
          <Recipe />
        </Disclosure>
      </Card>
    </section>
  )
}

function Recipe() {
  return (
    <ol className="grid list-decimal gap-2 ps-6 pb-3 marker:text-muted">
      <li>
        The commitment is <code>SHA-256(the 32 bytes of the server seed)</code>, written in hex. The
        commitment to the next server seed is public before you choose the client seed that goes
        with it.
      </li>
      <li>
        A pack's digest is{' '}
        <code className="break-words">
          HMAC-SHA256(key: the 32 bytes, message: clientSeed + ":" + nonce + ":" + tableHash)
        </code>
        . The nonce starts at 0 with every pair of seeds and grows by 1 per pack, without gaps. The
        hash of the odds table binds the roll to this pack and these odds. Older draws, of scheme 1,
        lack <code>":" + tableHash</code>.
      </li>
      <li>
        The roll is the first 13 hex digits of the digest: a whole number from 0 to 2<sup>52</sup> −
        1.
      </li>
      <li>
        Prizes stand in the order of their ids. Each has the share wins ÷ packs, at most 1. When the
        shares add up to more than 1, all are scaled down so that they add up to 1. With c as the
        exact sum of the shares up to a prize, its range ends at ⌊2<sup>52</sup> · c⌋ and begins
        where the one before ended.
      </li>
      <li>
        The prize whose range holds the roll is won. Above the last range there is no prize. A prize
        that is sold out keeps its range, and a roll inside it counts as no prize.
      </li>
      <li>
        The odds table is named by the SHA-256 of its text:{' '}
        <code className="break-all">
          {
            '{"packTypeId":…,"consolationRedCoin":…,"entries":[{"prizeId":…,"name":…,"winFrequency":…,"totalPacks":…,"redCoinAmount":…,"rewardPackTypeId":…,"rewardPackQuantity":…,"limited":…}]}'
          }
        </code>
        , without white space. It holds everything that decides what is paid. In scheme 1 it has{' '}
        <code>packTypeId</code> and, per prize, the fields up to <code>redCoinAmount</code>.
      </li>
      <li>
        Every commitment, odds table, stock change, opening and revealed seed is an entry of the
        public log: a Merkle tree by RFC 6962, signed with Ed25519. A commitment stands in it before
        a draw is made with it.
      </li>
    </ol>
  )
}
