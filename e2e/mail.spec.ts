// News by email from the profile to the mailbox and back, on the real server with the sandbox's
// mailbox.

import { expect, type Page } from '@playwright/test'
import { test } from './product.ts'
import { newLogin, signIn } from './support.ts'

interface Sent {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
}

/** Lets the jobs run, and answers what lies in the mailbox for an address. */
async function mailsTo(page: Page, address: string): Promise<Sent[]> {
  await page.request.post('/sandbox/control/clock', { data: { advanceSeconds: 6 } })
  const mails = (await (await page.request.get('/sandbox/mail.json')).json()) as Sent[]
  return mails.filter(({ to }) => to === address)
}

const linkIn = (text = '') => /https?:\/\/\S+\/api\/notifications\/verify\S+/.exec(text)?.[0] ?? ''

test('a viewer confirms an address, hears of a changed wallet and leaves by the mail itself', async ({
  page,
}) => {
  const address = `${newLogin()}@example.org`
  await signIn(page, newLogin())
  await page.goto('/profile')
  const card = page.getByRole('group', { name: 'News', exact: true })
  await card.getByLabel('Send news to').fill(address)
  await card.getByRole('button', { name: 'Send the link' }).click()
  await expect(card.getByText('Waiting', { exact: true })).toBeVisible()
  await expect.poll(async () => (await mailsTo(page, address)).length).toBe(1)
  await page.goto(linkIn((await mailsTo(page, address))[0]?.text))
  await page.getByRole('button', { name: 'Yes, send it here' }).click()
  await expect(page.getByText('Your address is confirmed.', { exact: false })).toBeVisible()

  await page.goto('/profile')
  await expect(card.getByText('On', { exact: true })).toBeVisible()
  await card.getByText('News you get').click()
  await card.getByText('Quiet hours').click()
  await page.getByLabel('Wallet address').fill('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect.poll(async () => (await mailsTo(page, address)).length).toBe(2)
  const news = (await mailsTo(page, address))[1]
  expect(news?.subject).toContain('Your wallet was changed')

  await page.goto('/sandbox/mail')
  await expect(page.getByText('Your wallet was changed').first()).toBeVisible()

  const url = /<([^>]+)>/.exec(news?.headers['List-Unsubscribe'] ?? '')?.[1] ?? ''
  await page.goto(url)
  await page.getByRole('button', { name: 'Unsubscribe' }).click()
  await expect(page.getByText('You will get no more emails from us.')).toBeVisible()
  await page.goto('/profile')
  const choice = page.getByRole('switch', { name: 'Email notifications' })
  await expect(choice).not.toBeChecked()
})
