-- The squares of the map go down to about 280 m: the index is made anew at the next start.
update catalog_state set lexicon_version = null;
