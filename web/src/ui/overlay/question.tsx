// One question at a time, about whatever was pressed: it waits for its act and then closes.

import { hashKey } from '@tanstack/react-query'
import { type ReactNode, useCallback, useState } from 'react'
import { ConfirmDialog } from './dialog.tsx'
import type { ConfirmDialogProps } from './dialog-panel.tsx'
import type { Openable } from './lazy-component.tsx'

export interface Question
  extends Omit<ConfirmDialogProps, keyof Openable | 'isPending' | 'onConfirm'> {
  /** The question stands until what this returns has ended. It says itself how that went. */
  readonly onConfirm: () => unknown
}

const none: Question = { title: '', description: '', confirmLabel: '', onConfirm: () => undefined }

/** The same may be asked about in an object of its own each time. */
const isSame = (one: unknown, other: unknown) =>
  one === other || hashKey([one]) === hashKey([other])

interface Asked<About> {
  readonly about: About
  readonly isOpen: boolean
}

/**
 * `questionOf` is what is asked about each thing. One that was closed before its act has ended
 * shows it as pending when it is asked again; its end closes no question about another thing.
 * @returns asks, and what has to be on the page
 */
export function useQuestion<About = void>(
  questionOf: (about: About) => Question,
): readonly [ask: (about: About) => void, dialog: ReactNode] {
  const [asked, setAsked] = useState<Asked<About>>()
  const [going, setGoing] = useState<readonly About[]>([])
  const ask = useCallback((about: About) => setAsked({ about, isOpen: true }), [])
  // What was asked stays to be read while the dialog closes.
  const { onConfirm, ...question } = asked ? questionOf(asked.about) : none
  const close = (about: About) =>
    setAsked((now) => (now?.about === about ? { about, isOpen: false } : now))
  const confirm = async ({ about }: Asked<About>) => {
    setGoing((all) => [...all, about])
    try {
      await onConfirm()
    } finally {
      setGoing((all) => all.filter((one) => one !== about))
      close(about)
    }
  }
  const dialog = (
    <ConfirmDialog
      {...question}
      isOpen={asked?.isOpen ?? false}
      onOpenChange={() => asked && close(asked.about)}
      onConfirm={() => asked && void confirm(asked)}
      isPending={asked !== undefined && going.some((about) => isSame(about, asked.about))}
    />
  )
  return [ask, dialog]
}
