// How somebody stands, as SQL on the row of a user: one place says what a suspension is, whom it
// shuts out, and by which names others know somebody.

/** The last suspension of `user` as JSON, null for none; the type is that of the rules. */
export const suspensionOf = (user: string) => `CASE WHEN ${user}.suspended_until IS NOT NULL THEN
    json_build_object('reason', ${user}.suspension_reason, 'until',
      CASE WHEN ${user}.suspended_until < '9999-12-31 00:00:00+00' THEN to_char(
        ${user}.suspended_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') END,
      'answer', ${user}.suspension_answer) END`

/** True while `user` is suspended; `now` is a value of the statement. */
export const isSuspended = (user: string, now: string) =>
  `coalesce(${user}.suspended_until > ${now}::timestamptz, false)`

/** True for whom nothing is paid for watching and from the chat bot. */
export const isShutFromEarning = (user: string, now: string) =>
  `(${user}.is_earning_blocked OR ${isSuspended(user, now)})`

/** A name that Twitch knows somebody by; what is shown in its place while staff show another. */
export const publicName = (user: string, name: string) =>
  `CASE WHEN ${user}.own_name IS NULL THEN ${name} ELSE ${user}.display_name END`

/** Who did something, as JSON of the joined row of a user; null where there is none. */
export const authorOf = (user: string) => `CASE WHEN ${user}.id IS NOT NULL THEN
    json_build_object('id', ${user}.id, 'username', ${user}.username,
      'displayName', ${user}.display_name) END`
