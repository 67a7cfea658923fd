// Lists in SQL: those given to statements that run very often, and those that carry pictures.

import { answerPicturesMax } from '@redpack/contract/limits'

/**
 * SQL of a list parameter such as `$1`, whose length the planner does not look at. A list that it
 * sees makes each plan look better than the one that fits any list, so that PostgreSQL plans such a
 * statement anew each time: for one opening that took longer than everything it read.
 */
export function anyList(parameter: string, type: 'int' | 'text'): string {
  return `(SELECT ${parameter}::${type}[])::${type}[]`
}

const pictured = (of: string, value: string) =>
  `(SELECT ${value} FROM images i WHERE i.hash = ${of}.image_hash)`

/** As `image_data`, but for `translate`: in a list, most of the time went there. */
export const pictureText = (of: string): string =>
  pictured(of, "replace(encode(i.bytes, 'base64'), E'\\n', '')")

/**
 * The picture of a row `of` in a list that stands in this order: `data` until the answer carries
 * enough of them, then `url`.
 */
export function listedPicture(of: string, order: string) {
  const size = pictured(of, 'octet_length(i.bytes)')
  const isCarried = `sum(${size}) OVER (ORDER BY ${order}) * 4 / 3 <= ${answerPicturesMax}`
  return {
    data: `CASE WHEN ${isCarried} THEN ${pictureText(of)} END`,
    url: `CASE WHEN NOT ${isCarried} THEN '/uploads/' || ${of}.image_hash || '.webp' END`,
  }
}
