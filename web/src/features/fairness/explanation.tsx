// How fair draws work: three steps in pictures, and the exact recipe for who wants to compute it.

import type { ReactNode } from 'react'
import { Card, Disclosure } from '../../ui/layout/section.tsx'

const steps: readonly Readonly<{ title: string; text: string; picture: ReactNode }>[] = [
  {
    title: 'The site commits',
    text: 'Before you open, the site picks a secret random number, the seed, and shows you its fingerprint. Nobody can guess the seed from it, and no other seed fits it.',
    picture: (
      <>
        <rect x="46" y="22" width="68" height="52" rx="6" className="fill-raised stroke-control" />
        <path d="M46 28 80 52 114 28" className="fill-none stroke-control" />
        <circle cx="80" cy="50" r="12" className="fill-accent-graphic stroke-none" />
        <path d="m75 50 4 4 7-8" className="fill-none stroke-page" strokeWidth="2.5" />
      </>
    ),
  },
  {
    title: 'Your browser adds chance',
    text: 'With each opening it sends a random number of its own and names the odds that you see. The site had to fix its seed first, so neither side can steer the draw.',
    picture: (
      <>
        <rect x="30" y="26" width="44" height="44" rx="8" className="fill-raised stroke-control" />
        <path
          d="M41 37h0M63 37h0M52 48h0M41 59h0M63 59h0"
          className="stroke-secondary-graphic"
          strokeWidth="8"
          strokeLinecap="round"
        />
        <path d="M84 48h22m-7-7 7 7-7 7" className="fill-none stroke-ink" strokeWidth="2.5" />
        <rect x="114" y="32" width="26" height="32" rx="4" className="fill-raised stroke-control" />
        <path d="M119 41h16m-16 7h16m-16 7h9" className="fill-none stroke-muted" />
      </>
    ),
  },
  {
    title: 'The result proves itself',
    text: 'The answer reveals the seed. Your browser compares the fingerprint and draws again. Only then does the pack tear. You do not have to trust us.',
    picture: (
      <>
        <rect
          x="34"
          y="18"
          width="40"
          height="58"
          rx="6"
          className="fill-accent-graphic stroke-none"
        />
        <path
          d="m54 34 4 9 10 1-7 7 2 10-9-5-9 5 2-10-7-7 10-1z"
          className="fill-page stroke-none"
        />
        <path d="M80 48h14m-5-5 5 5-5 5" className="fill-none stroke-ink" strokeWidth="2.5" />
        <circle cx="118" cy="48" r="18" className="fill-none stroke-success" strokeWidth="3" />
        <path d="m109 48 6 6 12-13" className="fill-none stroke-success" strokeWidth="3" />
      </>
    ),
  },
]

const recipe = [
  'The commitment is SHA-256(the 32 bytes of the server seed), written in hex. Each opening reveals its seed and commits to the next one of your chain; the unused seed is revealed when the day ends.',
  'The digest of pack i, counted from 0, is HMAC-SHA256(key: the 32 bytes, message: entropy + ":" + i + ":" + tableHash). The entropy is the random number of your browser: 32 bytes in hex. The hash of the odds table binds the roll to these odds.',
  'The roll is the first 13 hex digits of the digest: a whole number from 0 to 2⁵² − 1.',
  'Prizes stand in the order of their ids. Each has the share wins ÷ packs, at most 1. When the shares add up to more than 1, all are scaled down so that they add up to 1. With c as the exact sum of the shares up to a prize, its range ends at ⌊2⁵² · c⌋ and begins where the one before ended.',
  'The prize whose range holds the roll is won. Above the last range there is no prize. A prize that is sold out keeps its range, and a roll inside it counts as no prize.',
  'The odds table is named by the SHA-256 of its text, without white space: {"packTypeId":…,"consolationRedCoin":…,"entries":[{"prizeId":…,"name":…,"winFrequency":…,"totalPacks":…,"redCoinAmount":…,"rewardPackTypeId":…,"rewardPackQuantity":…,"limited":…}]}. A prize that delivers codes has "deliversCodes":true behind "limited". It holds everything that decides what is paid.',
  'Every chain that was drawn from, with its openings and its end, every odds table, stock change and step of a delivery is an entry of the public log: a Merkle tree by RFC 6962, signed with Ed25519.',
]

export function Explanation() {
  return (
    <section aria-labelledby="how-title">
      <h2 id="how-title" className="mb-4 text-xl">
        How a draw stays fair
      </h2>
      <ol className="grid list-none gap-4 p-0 md:grid-cols-3">
        {steps.map(({ title, text, picture }, index) => (
          <li key={title} className="card on-card p-4 sm:p-5">
            <svg viewBox="0 0 160 96" aria-hidden="true" className="mx-auto h-24 w-full max-w-56">
              {picture}
            </svg>
            <h3 className="mt-3 text-lg">
              {index + 1}. {title}
            </h3>
            <p className="mt-1 text-muted">{text}</p>
          </li>
        ))}
      </ol>
      <Card className="mt-4">
        <p>
          Could the site refuse to answer when you would win? Your browser remembers every request.
          When the seed is revealed, it draws them again and shows what was withheld.
        </p>
      </Card>
      <Card className="mt-4 py-2 sm:py-3">
        <Disclosure summary="The exact recipe">
          <ol className="grid list-decimal gap-2 ps-6 pb-3 break-words marker:text-muted">
            {recipe.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ol>
        </Disclosure>
      </Card>
    </section>
  )
}
