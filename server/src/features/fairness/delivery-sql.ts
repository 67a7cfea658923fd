// Words of SQL about the public delivery record.

/** Entries about packs of the openings $1; what it says of them is what their index says. */
export const stepsOfOpenings = `SELECT index, body FROM log_entries
   WHERE body LIKE '{"type":"shipment",%'
     AND substring(body from '"opening":"([^"]+)"') = ANY ($1::text[])`
