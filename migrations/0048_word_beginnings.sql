-- Of each word its first three, four and five characters, after the nine that say whose it is; amounts and documents are
-- only ever looked for whole.
CREATE FUNCTION word_beginnings(words tsvector) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  word text;
  beginnings text[] := '{}';
BEGIN
  FOREACH word IN ARRAY tsvector_to_array(words) LOOP
    CONTINUE WHEN length(word) < 12 OR substr(word, 10, 1) IN ('$', '#');
    beginnings := beginnings || left(word, 12) || left(word, 13) || left(word, 14);
  END LOOP;
  RETURN array_to_tsvector(beginnings);
END $$;
