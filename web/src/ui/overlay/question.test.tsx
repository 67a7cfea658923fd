// The question that waits for its act.

import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, it, onTestFinished } from 'vitest'
import { confirmPanel, Dialog, dialogPanel } from './dialog.tsx'
import { useQuestion } from './question.tsx'

const ends = new Map<string, () => void>()

function Rows() {
  const [ask, question] = useQuestion(({ name }: { readonly name: string }) => ({
    title: `Delete ${name}?`,
    description: 'For good.',
    confirmLabel: 'Delete',
    onConfirm: () => new Promise<void>((end) => ends.set(name, end)),
  }))
  return (
    <>
      {['Ana', 'Ben'].map((name) => (
        <button key={name} type="button" onClick={() => ask({ name })}>
          {name}
        </button>
      ))}
      {question}
    </>
  )
}

const press = (name: string) => fireEvent.click(screen.getByText(name), { detail: 1 })
const answer = () => screen.getByRole('button', { name: /^Delete/ })

async function open() {
  await confirmPanel.fetch()
  render(<Rows />)
  onTestFinished(() => ends.clear())
}

it('waits for its act, and then closes', async () => {
  await open()
  press('Ana')
  fireEvent.click(answer(), { detail: 1 })
  expect(answer().ariaDisabled).toBe('true')
  await act(async () => ends.get('Ana')?.())
  expect(screen.queryByRole('alertdialog')).toBeNull()
})

it('is not closed by the end of another one', async () => {
  await open()
  press('Ana')
  fireEvent.click(answer(), { detail: 1 })
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  press('Ben')
  expect(answer().ariaDisabled).toBeNull()
  await act(async () => ends.get('Ana')?.())
  expect(screen.getByRole('alertdialog', { name: 'Delete Ben?' })).toBeTruthy()
})

it('shows an act that is not over when it is asked again', async () => {
  await open()
  press('Ana')
  fireEvent.click(answer(), { detail: 1 })
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  press('Ana')
  expect(answer().ariaDisabled).toBe('true')
})

function BlockInDialog() {
  const [isBlocked, setBlocked] = useState(false)
  const [ask, question] = useQuestion(() => ({
    title: 'Block?',
    description: 'Until it is allowed again.',
    confirmLabel: 'Block',
    onConfirm: () => setBlocked(true),
  }))
  return (
    <Dialog title="Ana" onOpenChange={() => undefined}>
      {isBlocked ? (
        <p>Blocked</p>
      ) : (
        <button type="button" onClick={() => ask()}>
          Block Ana
        </button>
      )}
      {question}
    </Dialog>
  )
}

it('gives the focus to the dialog below it when what had asked is gone', async () => {
  await Promise.all([dialogPanel.fetch(), confirmPanel.fetch()])
  render(
    <main>
      <h1>Users</h1>
      <BlockInDialog />
    </main>,
  )
  const opener = screen.getByText('Block Ana')
  opener.focus()
  fireEvent.click(opener, { detail: 1 })
  fireEvent.click(screen.getByRole('button', { name: 'Block' }), { detail: 1 })
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  await waitFor(() =>
    expect(screen.getByRole('dialog').contains(document.activeElement)).toBe(true),
  )
})
