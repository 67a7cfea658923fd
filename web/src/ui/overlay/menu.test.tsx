// The menu: its items, its times.

import { act, fireEvent, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { renderPart } from '../../../test/render.tsx'
import { Menu } from './menu.tsx'

/** How long the pointer rests before a menu within opens, and letters belong to one search. */
const subTriggerDelayMs = 100
const typeAheadResetMs = 1000

const onPlain = vi.fn()

async function openMenu() {
  const rendered = await renderPart(
    <Menu
      label="Account"
      trigger="A"
      groups={[
        [
          { label: 'Logout', onSelect: () => {} },
          { label: 'Profile', to: '/profile' },
          { label: 'Plain', onSelect: onPlain },
          { label: 'More', items: [{ label: 'Deep', onSelect: () => {} }] },
        ],
      ]}
    />,
  )
  await rendered.user.click(screen.getByRole('button', { name: 'Account' }))
  return rendered
}

function focused(): string | null | undefined {
  return document.activeElement?.textContent
}

describe('the menu', () => {
  it('stands in the landmark of its button, and above a dialog in none', async () => {
    const groups = [[{ label: 'Logout', onSelect: () => {} }]]
    const { user } = await renderPart(
      <>
        <header>
          <Menu label="Above" trigger="A" groups={groups} />
        </header>
        <main>
          <Menu label="Below" trigger="B" groups={groups} />
          <div role="dialog" aria-label="Prizes">
            <Menu label="Within" trigger="W" groups={groups} />
          </div>
        </main>
      </>,
    )
    const landmarkOf = async (label: string) => {
      await user.click(screen.getByRole('button', { name: label }))
      const list = await screen.findByRole('menu', { name: label })
      const landmark = list.closest('header, main')?.tagName ?? 'none'
      await user.keyboard('{Escape}')
      return landmark
    }
    expect(await landmarkOf('Above')).toBe('HEADER')
    expect(await landmarkOf('Below')).toBe('MAIN')
    expect(await landmarkOf('Within')).toBe('none')
  })

  it('names a button of only an icon by a tooltip, before and after it was opened', async () => {
    const groups = [[{ label: 'Logout', onSelect: () => {} }]]
    const { user } = await renderPart(<Menu label="All" tone="ghost" trigger="A" groups={groups} />)
    const button = () => screen.getByRole('button', { name: 'All' })
    await user.hover(button())
    expect((await screen.findByRole('tooltip')).textContent).toBe('All')
    await user.click(button())
    expect(await screen.findByRole('menu', { name: 'All' })).toBeTruthy()
    expect(screen.queryByRole('tooltip')).toBeNull()
    await user.keyboard('{Escape}')
    await user.unhover(button())
    await user.hover(button())
    expect(await screen.findByRole('tooltip')).toBeTruthy()
    expect(button().className).toBe('button button-ghost button-icon')
  })

  it('leads to screens and runs actions', async () => {
    const { user } = await openMenu()
    expect(screen.getByRole('menuitem', { name: 'Profile' }).getAttribute('href')).toBe('/profile')
    await user.click(screen.getByRole('menuitem', { name: 'Plain' }))
    expect(onPlain).toHaveBeenCalledOnce()
    expect(screen.queryByRole('menu')).toBeNull()
  })

  it('opens a menu within after the pointer rested 100 ms', async () => {
    await openMenu()
    vi.useFakeTimers()
    fireEvent.pointerMove(screen.getByRole('menuitem', { name: 'More' }), { pointerType: 'mouse' })
    act(() => vi.advanceTimersByTime(subTriggerDelayMs - 1))
    expect(screen.queryByRole('menuitem', { name: 'Deep' })).toBeNull()
    act(() => vi.advanceTimersByTime(1))
    expect(screen.queryByRole('menuitem', { name: 'Deep' })).not.toBeNull()
  })

  it('starts a new search among the items after 1000 ms without a letter', async () => {
    await openMenu()
    vi.useFakeTimers()
    const type = (key: string) => {
      fireEvent.keyDown(document.activeElement!, { key })
      act(() => vi.advanceTimersByTime(0))
    }
    type('p')
    expect(focused()).toBe('Profile')
    act(() => vi.advanceTimersByTime(typeAheadResetMs - 1))
    type('l')
    expect(focused()).toBe('Plain')
    act(() => vi.advanceTimersByTime(typeAheadResetMs))
    type('l')
    expect(focused()).toBe('Logout')
  })
})
