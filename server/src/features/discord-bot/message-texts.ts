// What the bot says: posts with their button, and answers that only the person who clicked sees.

import type { ButtonPost, PrivateAnswer } from '../../adapters/discord/bot.ts'
import { numberText } from '../../shared/number-text.ts'

interface PostedReward {
  readonly nonce: string
  readonly rewardAmount: number
}

const buttonPrefix = 'claim:v1:'

/** What comes back with every click of a post's button. */
export function buttonIdOf(nonce: string): string {
  return `${buttonPrefix}${nonce}`
}

/** The post a button belongs to; undefined for a button that is not ours. */
export function nonceOf(buttonId: string): string | undefined {
  return buttonId.startsWith(buttonPrefix) ? buttonId.slice(buttonPrefix.length) : undefined
}

/** A post as long as it can be claimed. Discord shows the time in the zone of each reader. */
export function openPost(
  reward: PostedReward & { readonly isTest: boolean; readonly expiresAt: Date },
): ButtonPost {
  const amount = numberText(reward.rewardAmount)
  const until = Math.floor(reward.expiresAt.getTime() / 1000)
  return {
    content:
      `${reward.isTest ? 'Test post. ' : ''}**${amount} RedCoin** for everyone who presses the ` +
      `button before <t:${until}:f> (<t:${until}:R>). Once per person.`,
    label: `Claim ${amount} RedCoin`,
    buttonId: buttonIdOf(reward.nonce),
  }
}

/** The same post once its time is over. */
export function closedPost({ nonce, rewardAmount }: PostedReward): ButtonPost {
  return {
    content: `This reward of **${numberText(rewardAmount)} RedCoin** has expired.`,
    label: 'Expired',
    buttonId: buttonIdOf(nonce),
  }
}

/** What became of a click; the bot has a sentence for each. */
export type RewardOutcome =
  | { readonly kind: 'paid'; readonly amount: number; readonly balance: number }
  | { readonly kind: 'not_linked' | 'removed' | 'expired' | 'already_claimed' | 'blocked' }

export type ClickOutcome = RewardOutcome | { readonly kind: 'unknown' | 'repeated' | 'failed' }

const sentences: Readonly<Record<Exclude<ClickOutcome['kind'], 'paid'>, string>> = {
  not_linked:
    'Your Discord account is not linked yet. Link it in your profile, then press the button again.',
  already_claimed: 'You have already claimed this reward.',
  expired: 'This reward has expired.',
  removed: 'Rewards are no longer given in this channel.',
  blocked: 'Your account cannot earn rewards.',
  unknown: 'We do not recognize this reward.',
  repeated: 'This click was already handled.',
  failed: 'Something went wrong on our side. Please press the button again.',
}

/** The sentence for what became of a click; who is not linked gets the way to the profile. */
export function answerTo(outcome: ClickOutcome, publicUrl: string): PrivateAnswer {
  if (outcome.kind === 'paid') {
    const [amount, balance] = [outcome.amount, outcome.balance].map((n) => numberText(n))
    return { content: `You received ${amount} RedCoin. Your balance is now ${balance}.` }
  }
  const content = sentences[outcome.kind]
  if (outcome.kind !== 'not_linked') return { content }
  return { content, link: { label: 'Open your profile', url: `${publicUrl}/profile` } }
}
