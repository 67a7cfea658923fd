// What holds for sending a prize, as SQL.

/** The terms of the prize `p` as JSON; null where nothing is sent. */
export const deliveryTerms = `CASE WHEN p.red_coin_amount = 0 AND NOT p.delivers_codes
    AND (p.pack_quantity = 0 OR p.pack_type_id IS NULL OR p.is_also_sent)
    THEN jsonb_build_object('deadlineDays', p.deadline_days, 'countries', p.countries,
      'estimatedValue', p.estimated_value,
      'questions', jsonb_path_query_array(p.questions, '$[*].label')) END`
