-- Version 1.0: a name that staff have hidden is hidden again when its owner leaves and comes back.
-- expand: a column that has its value for every row there is.

ALTER TABLE tombstones ADD COLUMN is_name_hidden boolean NOT NULL DEFAULT false;
