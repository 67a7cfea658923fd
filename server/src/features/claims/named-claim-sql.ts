// The words of SQL by which a claim is found, each along an index.

/**
 * True of the claim `c` that a text names: by its Claim ID, by its row number, or by the PR-number
 * of a row without a Claim ID. `text` is a parameter.
 */
export const namedClaim = (text: string): string => `(c.claim_id = ${text}
   OR c.id = CASE WHEN ${text} ~ '^[1-9][0-9]{0,9}$' THEN ${text}::bigint END
   OR (c.claim_id IS NULL
     AND c.id = CASE WHEN ${text} ~ '^PR-[1-9][0-9]{0,9}$' THEN substr(${text}, 4)::bigint END))`
