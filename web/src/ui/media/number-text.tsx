// Numbers that fit where they are: one of many digits goes on in the next line between its groups.

import { Fragment } from 'react'
import { formatNumber } from '../../lib/format.ts'

/** A text is of a number and what is said of it. */
export function NumberText({ value }: { readonly value: number | string }) {
  const text = typeof value === 'number' ? formatNumber(value) : value
  const groups = text.split(/(?<=\d\D)(?=\d{3})/)
  return groups.map((group, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: groups are told apart by place
    <Fragment key={place}>
      {place > 0 && <wbr />}
      {group}
    </Fragment>
  ))
}
