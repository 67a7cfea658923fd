// What odds are made of besides their prizes, as SQL: what a losing pack pays, and the terms on
// which a prize is sent.

import { consolationRedCoinDefault } from '@redpack/contract/limits'

/** The name of the one number of the economy that staff set. */
export const consolationKey = 'consolationRedCoin'

/** RedCoin that a losing pack pays now, as a bigint; the default as long as nothing is saved. */
export const consolationNow = `coalesce(
       (SELECT (value #>> '{}')::bigint FROM app_settings WHERE key = '${consolationKey}'),
       ${consolationRedCoinDefault}::bigint)`

/** The terms of the prize `p` as JSON; null where nothing is sent. */
export const deliveryTerms = `CASE WHEN p.red_coin_amount = 0 AND NOT p.delivers_codes
    AND (p.pack_quantity = 0 OR p.pack_type_id IS NULL OR p.is_also_sent)
    THEN jsonb_build_object('deadlineDays', p.deadline_days, 'countries', p.countries,
      'estimatedValue', p.estimated_value,
      'questions', jsonb_path_query_array(p.questions, '$[*].label')) END`
