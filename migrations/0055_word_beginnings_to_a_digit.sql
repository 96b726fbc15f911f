-- Of each word its first three to eight characters, after the nine that say whose it is. The sixth and those after it
-- only up to the first digit of the word, which ends its longest beginning wherever it is; where it is among the first
-- five, so do these. An amount stands whole, to be asked for beside a name. All that 0048 had are among them: whoever
-- asks an index of either finds the same.
CREATE OR REPLACE FUNCTION word_beginnings(words tsvector) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  word text;
  digit integer;
  reach integer;
  beginnings text[] := '{}';
BEGIN
  FOREACH word IN ARRAY tsvector_to_array(words) LOOP
    IF substr(word, 10, 1) = '$' THEN
      beginnings := beginnings || word;
      CONTINUE;
    END IF;
    CONTINUE WHEN length(word) < 12 OR substr(word, 10, 1) = '#';
    beginnings := beginnings || left(word, 12) || left(word, 13) || left(word, 14);
    CONTINUE WHEN length(word) < 15;
    digit := strpos(translate(substr(word, 10), '123456789', '000000000'), '0');
    CONTINUE WHEN digit BETWEEN 1 AND 5;
    reach := CASE digit WHEN 0 THEN 17 ELSE 9 + digit END;
    beginnings := beginnings || left(word, least(15, reach)) || left(word, least(16, reach)) || left(word, least(17, reach))
      || left(word, reach);
  END LOOP;
  RETURN array_to_tsvector(beginnings);
END $$;
