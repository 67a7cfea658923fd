// The words of SQL that are said of watching in more than one place.

import { anyList } from '../../shared/list-parameter-sql.ts'
import { isShutFromEarning } from '../../shared/standing-sql.ts'

/**
 * Sessions of the users `$1` that are not completed at `$2`, of broadcasts that are live; a user's
 * oldest first. It is decided from them which one counts. Nobody has more of them than there are
 * streams.
 */
export const openSessionsSql = `SELECT v.user_id AS "userId", v.id,
     v.last_active_at AS "countedAt",
     v.chosen_at AS "chosenAt", v.started_at AS "sessionStartedAt", v.chat_seen_at AS "seenAt",
     s.presence_mode AS mode, s.chatters_read_at AS "listReadAt",
     s.live_checked_at AS "checkedAt", s.is_live_by_hand AS "isByHand",
     u.last_watch_credit_at AS "creditedAt", ${isShutFromEarning('u', '$2')} AS "isEarningBlocked"
   FROM viewer_sessions v
   JOIN twitch_streams s ON s.id = v.stream_id
   JOIN users u ON u.id = v.user_id
   WHERE v.user_id = ANY(${anyList('$1', 'int')}) AND NOT v.is_completed AND s.is_active AND s.is_live
     AND s.current_stream_id = v.stream_session_id AND s.archived_at IS NULL
   ORDER BY v.user_id, v.id LIMIT 50000`

/** The rewards of a stream as staff see them: its rows, or its own packs where it has none. */
export const rewardsOfStream = (streamId: string) => `(
  SELECT id, pack_type_id, pack_quantity, red_coin_amount FROM stream_rewards
  WHERE stream_id = ${streamId}
  UNION ALL
  SELECT 0, own.reward_pack_type_id, own.reward_pack_quantity, 0 FROM twitch_streams own
  WHERE own.id = ${streamId} AND own.reward_pack_type_id IS NOT NULL
    AND own.reward_pack_quantity > 0
    AND NOT EXISTS (SELECT FROM stream_rewards WHERE stream_id = ${streamId}))`
