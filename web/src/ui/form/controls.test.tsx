// The small parts: what they say to every reader, and their fixed numbers.

import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type FormEvent, useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { lastToast } from '../../../test/toasts.ts'
import { CardImage } from '../../features/packs/shared/card-image.tsx'
import { iconOf } from '../../features/packs/shared/pack-icon.tsx'
import { announce, LiveRegion } from '../feedback/live-region.tsx'
import { Progress, progressMax } from '../feedback/progress.tsx'
import { Pagination, pagesAround } from '../table/pagination.tsx'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { NumberField } from './number-field.tsx'
import { RadioCards } from './radio-cards.tsx'
import { SuggestField } from './suggest-field.tsx'
import { TextField } from './text-field.tsx'
import { CheckboxGroup } from './toggle-fields.tsx'

function SendForm({ onSend }: { readonly onSend: () => void }) {
  const [isPending, setPending] = useState(false)
  const [text, setText] = useState('a')
  const send = (event: FormEvent) => {
    event.preventDefault()
    onSend()
    setPending(true)
  }
  const end = (left: string) => {
    setPending(false)
    setText(left)
  }
  return (
    <>
      <form onSubmit={send}>
        <input aria-label="Text" value={text} onChange={(event) => setText(event.target.value)} />
        <Button type="submit" isPending={isPending} disabled={text === ''}>
          Send
        </Button>
      </form>
      <button type="button" onClick={() => end('a')}>
        End
      </button>
      <button type="button" onClick={() => end('')}>
        Empty
      </button>
    </>
  )
}

describe('a button that waits', () => {
  async function send() {
    const onSend = vi.fn()
    render(<SendForm onSend={onSend} />)
    const button = screen.getByRole('button', { name: 'Send' })
    // This DOM does not say where the focus is to be seen.
    vi.spyOn(button, 'matches').mockImplementation(
      (query) => query === ':focus-visible' || Element.prototype.matches.call(button, query),
    )
    button.focus()
    await userEvent.keyboard('{Enter}')
    return { button, onSend }
  }

  it('keeps the focus of the keyboard, and is sent once', async () => {
    const { button, onSend } = await send()
    expect(button.ariaDisabled).toBe('true')
    expect(document.activeElement).toBe(button)
    await userEvent.keyboard('{Enter}')
    await userEvent.click(button)
    await userEvent.type(screen.getByLabelText('Text'), '{Enter}')
    expect(onSend).toHaveBeenCalledTimes(1)
    fireEvent.click(screen.getByRole('button', { name: 'End' }))
    expect(button.ariaDisabled).toBeNull()
  })

  it('leaves it to the first field where the form was emptied', async () => {
    await send()
    fireEvent.click(screen.getByRole('button', { name: 'Empty' }))
    expect(document.activeElement).toBe(screen.getByLabelText('Text'))
  })
})

describe('progress', () => {
  it('runs to 100 and never past it', () => {
    const view = render(<Progress label="Watched" value={40} />)
    const bar = screen.getByRole('progressbar', { name: 'Watched' })
    expect(progressMax).toBe(100)
    expect(bar.getAttribute('aria-valuemax')).toBe('100')
    expect(bar.getAttribute('aria-valuenow')).toBe('40')
    view.rerender(<Progress label="Watched" value={170} />)
    expect(bar.getAttribute('aria-valuenow')).toBe('100')
  })
})

describe('pagination', () => {
  it('shows at most five numbers around the current page', () => {
    expect(pagesAround(1, 3)).toEqual([1, 2, 3])
    expect(pagesAround(1, 9)).toEqual([1, 2, 3, 4, 5])
    expect(pagesAround(5, 9)).toEqual([3, 4, 5, 6, 7])
    expect(pagesAround(9, 9)).toEqual([5, 6, 7, 8, 9])
  })

  it('is not there for one page, and stops at both ends', () => {
    const onPageChange = vi.fn()
    const view = render(
      <Pagination label="Pages" page={1} totalPages={1} onPageChange={onPageChange} />,
    )
    expect(screen.queryByRole('navigation')).toBeNull()
    view.rerender(<Pagination label="Pages" page={1} totalPages={2} onPageChange={onPageChange} />)
    const next = screen.getByRole('button', { name: 'Next' })
    next.focus()
    fireEvent.click(screen.getByRole('button', { name: 'Previous' }))
    fireEvent.click(next)
    fireEvent.click(screen.getByRole('button', { name: 'Page 2' }))
    expect(onPageChange.mock.calls).toEqual([[2], [2]])
    expect(screen.getByRole('button', { name: 'Page 1' }).getAttribute('aria-current')).toBe('page')
    view.rerender(<Pagination label="Pages" page={2} totalPages={2} onPageChange={onPageChange} />)
    expect([isOff(next), document.activeElement]).toEqual([true, next])
  })
})

describe('pictures of cards', () => {
  it('knows seven icons, with or without a class prefix, and emoji', () => {
    expect(iconOf('crown')).toEqual({ drawn: 'crown' })
    expect(iconOf('fas fa-gem')).toEqual({ drawn: 'gem' })
    expect(iconOf('Dice')).toEqual({ drawn: 'dice' })
    expect(iconOf('🎁')).toEqual({ emoji: '🎁' })
    expect(iconOf('constructor')).toEqual({ drawn: 'package' })
    expect(iconOf('')).toEqual({ drawn: 'package' })
  })

  it('prefers the address, then the stored bytes, and falls back to the icon on failure', () => {
    const view = render(<CardImage alt="Pack" imageUrl="/a.png" imageData="eA==" />)
    expect(screen.getByRole('img').getAttribute('src')).toBe('/a.png')
    view.rerender(<CardImage alt="Pack" imageData="eA==" imageType="image/webp" icon="gem" />)
    const image = screen.getByRole('img')
    expect(image.getAttribute('src')).toBe('data:image/webp;base64,eA==')
    fireEvent.error(image)
    expect(screen.getByRole('img', { name: 'Pack' }).tagName).toBe('SPAN')
    expect(document.querySelector('[data-icon]')?.getAttribute('data-icon')).toBe('gem')
  })
})

function Quantity() {
  const [value, setValue] = useState<number | null>(1)
  return (
    <>
      <NumberField
        label="Quantity"
        unit="packs"
        value={value}
        onChange={setValue}
        min={1}
        max={3}
      />
      <output>{String(value)}</output>
    </>
  )
}

const isOff = (button: HTMLElement) => button.getAttribute('aria-disabled') === 'true'

describe('number field', () => {
  it('passes on what is typed, an empty field as null, and steps within the bounds', async () => {
    render(<Quantity />)
    const more = screen.getByRole('button', { name: 'More packs' })
    expect(isOff(screen.getByRole('button', { name: 'Fewer packs' }))).toBe(true)
    await userEvent.click(more)
    await userEvent.click(more)
    expect(screen.getByRole('status').textContent).toBe('3')
    await userEvent.click(more)
    expect(screen.getByRole('status').textContent).toBe('3')
    // Who presses the last step stays at the button.
    expect([isOff(more), document.activeElement]).toEqual([true, more])
    await userEvent.clear(screen.getByLabelText('Quantity'))
    expect(screen.getByRole('status').textContent).toBe('null')
    await userEvent.type(screen.getByLabelText('Quantity'), '72')
    expect(screen.getByRole('status').textContent).toBe('72')
  })

  it('reads three digits behind a separator as thousands, and shows them so', () => {
    render(<Quantity />)
    const field = screen.getByLabelText<HTMLInputElement>('Quantity')
    fireEvent.change(field, { target: { value: '10.000' } })
    expect([screen.getByRole('status').textContent, field.value]).toEqual(['10000', '10000'])
    fireEvent.change(field, { target: { value: '3.7' } })
    expect(screen.getByRole('status').textContent).toBe('3.7')
  })
})

describe('text field', () => {
  it('ties label, hint and error to the input', () => {
    render(<TextField label="Email" hint="Never shown" error="Invalid email" />)
    const input = screen.getByLabelText('Email')
    const texts = input
      .getAttribute('aria-describedby')
      ?.split(' ')
      .map((id) => document.getElementById(id)?.textContent)
    expect(texts).toEqual(['Never shown', 'Invalid email'])
    expect(input.getAttribute('aria-invalid')).toBe('true')
  })
})

describe('radio cards', () => {
  it('selects by press and by arrow', async () => {
    const onChange = vi.fn()
    render(
      <RadioCards
        label="Pack"
        value="1"
        onChange={onChange}
        cards={[
          { value: '1', content: 'One' },
          { value: '2', content: 'Two' },
        ]}
      />,
    )
    expect(screen.getByRole('radio', { name: 'One' }).getAttribute('aria-checked')).toBe('true')
    await userEvent.click(screen.getByRole('radio', { name: 'Two' }))
    expect(onChange).toHaveBeenCalledWith('2')
  })
})

describe('ticks that belong together', () => {
  it('are all set and taken away without the values of another group', () => {
    const onChange = vi.fn()
    const group = (values: string[]) => (
      <CheckboxGroup
        {...{ label: 'Hours', empty: 'None', values, onChange }}
        choices={['6', '12'].map((value) => ({ value, label: value }))}
      />
    )
    const view = render(group(['9']))
    fireEvent.click(screen.getByRole('button', { name: 'Select all' }))
    view.rerender(group(['9', '6', '12']))
    fireEvent.click(screen.getByRole('button', { name: 'Select none' }))
    expect(onChange.mock.calls).toEqual([[['9', '6', '12']], [['9']]])
  })
})

describe('suggestions', () => {
  it('leave the Enter that ends the composing of a word to the keyboard', () => {
    const onSubmit = vi.fn()
    render(
      <SuggestField
        {...{ label: 'User', value: 'か', suggestions: [], closeDelayMs: 0, onSubmit }}
        onChange={() => undefined}
        onPick={() => undefined}
      />,
    )
    const field = screen.getByRole('combobox')
    fireEvent.keyDown(field, { key: 'Enter', isComposing: true })
    fireEvent.keyDown(field, { key: 'Enter', keyCode: 229 })
    expect(onSubmit).not.toHaveBeenCalled()
    fireEvent.keyDown(field, { key: 'Enter' })
    expect(onSubmit).toHaveBeenCalledOnce()
  })
})

describe('live region', () => {
  it('reads the newest sentence, at most one in half a second', () => {
    vi.useFakeTimers()
    render(<LiveRegion />)
    const region = screen.getByRole('status')
    act(() => {
      announce('One')
      vi.advanceTimersByTime(0)
    })
    expect(region.textContent).toBe('One')
    act(() => {
      announce('Two')
      announce('Three')
      vi.advanceTimersByTime(499)
    })
    expect(region.textContent).toBe('One')
    act(() => vi.advanceTimersByTime(1))
    expect(region.textContent).toBe('Three')
    act(() => vi.advanceTimersByTime(1000))
  })
})

it('a text that cannot be copied is not said to be', async () => {
  // Brings the clipboard along.
  const user = userEvent.setup()
  render(<CopyButton text="PR-1" label="Copy Claim ID" />)
  const button = screen.getByRole('button', { name: 'Copy Claim ID' })
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValueOnce(new Error('blocked'))
  await user.click(button)
  await waitFor(() => expect(lastToast()?.description).toBe('Could not copy'))
})
