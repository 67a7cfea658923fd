// A number that fits where it is: one of many digits goes on in the next line between its groups.

import { Fragment } from 'react'
import { formatNumber } from '../../lib/format.ts'

export function NumberText({ value }: { readonly value: number }) {
  const groups = formatNumber(value).split(/(?<=\d\D)/)
  return groups.map((group, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: groups are told apart by place
    <Fragment key={place}>
      {place > 0 && <wbr />}
      {group}
    </Fragment>
  ))
}
