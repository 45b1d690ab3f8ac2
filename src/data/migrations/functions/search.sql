-- Revision 1. Record numbers, scores and lists of the search index.

create or replace aggregate union_of(int[]) (sfunc = _int_union, stype = int[]);
create or replace aggregate intersection_of(int[]) (sfunc = _int_inter, stype = int[]);

-- Returns the preferred number of a record of this rank.
create or replace function search_number(rank int, id bigint) returns int
language sql immutable parallel safe
return (rank << 24) + (hashint8(id) & 16777215);

-- Returns the score of a sum of weights out of `total`: see `scoreOf` in src/domain/relevance.ts. Rounded, so that
-- equal scores compare equal whatever the order of summing.
create or replace function search_score(sum float8, covers boolean, total float8) returns float8
language sql immutable parallel safe
return round((case when covers then total + sum else sum end) / (2 * total) * 1e9) / 1e9;

-- Returns the quality factor that an offer's number implies: its upper (`most` = 1) or lower bound (0).
create or replace function search_quality(of_kind smallint, number int, most int) returns float8
language sql immutable parallel safe
return case when of_kind = 2 then (3 + (127 + most - (number >> 24)) / 128.0) / 4 else 1 end;

-- Takes whole groups of records from `within`, in the order of the keys, until there are `most`.
create or replace function search_take(
  of_kind smallint, within int[], ordered_keys int[], most int,
  out numbers int[], out complete boolean
) language plpgsql stable parallel safe as $$
declare
  this_key int;
  part int[];
begin
  complete := cardinality(within) <= most;
  if complete then
    numbers := within;
    return;
  end if;
  numbers := '{}';
  foreach this_key in array ordered_keys loop
    if cardinality(numbers) >= most then
      return;
    end if;
    select coalesce(union_of(p.numbers), '{}') into part from search_posting p
    where p.kind = of_kind and p.key = this_key;
    numbers := numbers | (part & within);
  end loop;
  complete := true;
end $$;

-- Finds words of the catalog similar to a misspelled one, most similar first.
create or replace function words_like(mistyped text)
returns table (word text, token_id int)
language sql stable parallel safe
set pg_trgm.similarity_threshold = 0.2
as $$
  select w.word, w.token_id from search_word w
  where w.word % mistyped
    and length(w.word) between length(mistyped) - 2 and length(mistyped) + 2
  order by similarity(w.word, mistyped) desc, w.word
  limit 40
$$;
