// The question that waits for its act.

import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, it, onTestFinished } from 'vitest'
import { confirmPanel } from './dialog.tsx'
import { useQuestion } from './question.tsx'

const ends = new Map<string, () => void>()

function Rows() {
  const [ask, question] = useQuestion((name: string) => ({
    title: `Delete ${name}?`,
    description: 'For good.',
    confirmLabel: 'Delete',
    onConfirm: () => new Promise<void>((end) => ends.set(name, end)),
  }))
  return (
    <>
      {['Ana', 'Ben'].map((name) => (
        <button key={name} type="button" onClick={() => ask(name)}>
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
