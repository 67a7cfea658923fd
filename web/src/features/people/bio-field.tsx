// The bio with its counter, which speaks up when the room runs out.

import { codePoints } from '@redpack/contract'
import { bioMax } from '@redpack/contract/limits'
import { type ComponentPropsWithRef, useEffect, useRef } from 'react'
import { announce } from '../../ui/feedback/live-region.tsx'
import { TextAreaField } from '../../ui/form/text-field.tsx'

/** Lengths at which the room that is left is announced. */
const bioMarks = [450, 490, bioMax] as const

/**
 * The sentence for a bio that grew from one length to another; undefined when no mark was passed.
 */
export function bioAnnouncement(before: number, now: number): string | undefined {
  const isPassed = bioMarks.some((mark) => before < mark && now >= mark)
  if (!isPassed) return undefined
  if (now > bioMax) return `${now - bioMax} characters too many`
  return now === bioMax ? 'No characters left' : `${bioMax - now} characters left`
}

export interface BioFieldProps extends Omit<ComponentPropsWithRef<'textarea'>, 'id' | 'children'> {
  readonly text: string
  readonly error: string | undefined
}

export function BioField({ text, error, ...rest }: BioFieldProps) {
  const count = codePoints(text.normalize('NFC'))
  const before = useRef(count)
  useEffect(() => {
    const sentence = bioAnnouncement(before.current, count)
    before.current = count
    if (sentence) announce(sentence)
  }, [count])
  return (
    <TextAreaField
      {...rest}
      label="Bio"
      rows={4}
      error={error}
      hint={
        <span className={count > bioMax ? 'text-danger tabular-nums' : 'tabular-nums'}>
          {count} of {bioMax} characters
        </span>
      }
    />
  )
}
