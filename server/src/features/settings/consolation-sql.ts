// The one number of the economy that staff set, as SQL: what a losing pack pays.

import { consolationRedCoinDefault } from '@redpack/contract/limits'

/** The name of the setting. */
export const consolationKey = 'consolationRedCoin'

/** RedCoin that a losing pack pays now, as a bigint; the default as long as nothing is saved. */
export const consolationNow = `coalesce(
       (SELECT (value #>> '{}')::bigint FROM app_settings WHERE key = '${consolationKey}'),
       ${consolationRedCoinDefault}::bigint)`
