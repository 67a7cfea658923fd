-- Of several live streams one counts: the one chosen last, and until then the one that was first.
ALTER TABLE viewer_sessions
  -- When the viewer last chose "Count here" for this session.
  ADD COLUMN chosen_at timestamptz;
