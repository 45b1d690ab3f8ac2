-- Search in impact order. Every record has a number; smaller numbers are better by static rank. For each
-- key (a token at a field, a category, a place, a price step) the numbers of the records that carry it
-- lie in ascending arrays, cut into buckets, so that a search reads the best records first and stops.
create extension if not exists intarray;

drop table product_search;
drop table offer_search;
-- The index is made anew at the next start.
update catalog_state set lexicon_version = null;

-- Ids are for ever, also over a rebuild, because a search looks them up in a statement of its own.
-- A key is id * 4 + level: 0 a filter; 1 what the title is about, 2 the title, 3 anywhere (each holds the
-- level before it).
create table search_token (
  id int primary key generated always as identity,
  token text not null unique
);

-- kind: 1 product, 2 offer. number: static rank (0 best, 15 worst) << 26, then the newest first.
create table search_record (
  kind smallint not null,
  number int not null,
  id bigint not null,
  keys int[] not null,
  -- What the keys were made from: a record whose source did not change is not indexed again.
  source uuid not null,
  primary key (kind, number)
);
create unique index search_record_id on search_record (kind, id);

-- Where the buckets of a kind begin; their sizes double from 8192 records.
create table search_bucket (
  kind smallint not null,
  bucket smallint not null,
  first int not null,
  primary key (kind, bucket)
);

create table search_posting (
  kind smallint not null,
  key int not null,
  bucket smallint not null,
  records int not null,
  numbers int[] not null,
  primary key (kind, key, bucket)
) with (fillfactor = 80);
-- Whole arrays are read, and packing them costs more than it saves.
alter table search_posting alter numbers set storage external;

-- The serial of the newest record of a kind; part of its number.
create table search_state (
  kind smallint primary key,
  serial int not null
);

-- What the index knows of merchants' places and categories' names, to find the records that follow
-- when these change.
create table search_merchant (
  merchant_id bigint primary key,
  places text[] not null
);
create table search_category (
  category_id bigint primary key,
  names text not null
);

-- The words of titles and brands: what a mistyped word may have meant.
create table search_word (
  word text primary key,
  token_id int not null references search_token
);
create index search_word_similar on search_word using gin (word gin_trgm_ops);

-- In stock, with price, with media, described: 0 has all of it.
create function product_rank(p product) returns int
language sql immutable parallel safe
return case when p.in_stock then 0 else 8 end
  + case when p.price_amount is null then 4 else 0 end
  + case when p.media = '[]' then 2 else 0 end
  + case when coalesce(p.description, '') = '' then 1 else 0 end;

-- The quality score in sixteenths, best first.
create function offer_rank(o offer) returns int
language sql immutable parallel safe
return 15 - least(15, floor(o.quality_score * 16)::int);

create aggregate union_of(int[]) (sfunc = _int_union, stype = int[]);
create aggregate intersection_of(int[]) (sfunc = _int_inter, stype = int[]);

create type search_numbers as (numbers int[]);

-- The records that are in all of some lists.
create function search_all_of(lists search_numbers[], wanted int[]) returns int[]
language plpgsql immutable parallel safe as $$
declare
  list int;
  common int[];
begin
  foreach list in array wanted loop
    common := case
      when common is null then lists[list].numbers else common & lists[list].numbers end;
    exit when cardinality(common) = 0;
  end loop;
  return common;
end $$;

-- Takes candidates bucket by bucket. A list is the union of its keys, a filter too; a step is the
-- intersection of some lists, and the steps come best match first. No more than `most` candidates are
-- returned. Buckets are read until `best_enough` records of the first step are found, and `most` that are
-- in all of `full_lists`; from there on only the first step's lists are read. With `best_only` the first
-- step's records are enough by themselves. `complete` tells that nothing that matches was left out.
create function search_walk(
  of_kind smallint, last_bucket smallint,
  list_keys int[], list_of int[], list_count int,
  filter_keys int[], filter_of int[], filter_count int,
  step_lists int[], step_of int[], step_count int,
  full_lists int[], best_enough int, best_only boolean, most int,
  out numbers int[], out complete boolean
) language plpgsql stable parallel safe as $$
declare
  lists search_numbers[] := array_fill(row('{}'::int[])::search_numbers, array[list_count]);
  this_bucket smallint;
  here search_numbers[];
  passing int[];
  part int[];
  part_count int;
  list int;
  best_count int := 0;
  full_count int := 0;
  best_lists int[] := step_lists[step_of[1]:step_of[2] - 1];
begin
  numbers := '{}';
  complete := true;
  for this_bucket in
    select b.bucket from search_bucket b
    where b.kind = of_kind and b.bucket <= last_bucket order by b.bucket
  loop
    complete := complete and full_count < most;
    if best_count >= best_enough and (best_only or full_count >= most) then
      complete := false;
      exit;
    end if;
    passing := null;
    if filter_count > 0 then
      select intersection_of(f.numbers order by cardinality(f.numbers)), count(*)
      into passing, part_count
      from (
        select union_of(p.numbers) as numbers
        from unnest(filter_keys, filter_of) as wanted (key, filter)
        join search_posting p
          on p.kind = of_kind and p.key = wanted.key and p.bucket = this_bucket
        group by wanted.filter
      ) f;
      continue when part_count < filter_count or cardinality(passing) = 0;
    end if;
    select array_agg(row(coalesce(l.numbers, '{}'))::search_numbers order by l.list) into here
    from (
      select wanted.list, union_of(p.numbers) as numbers
      from unnest(list_keys, list_of) as wanted (key, list)
      left join search_posting p
        on p.kind = of_kind and p.key = wanted.key and p.bucket = this_bucket
          and (full_count < most or wanted.list = any(best_lists))
      group by wanted.list
    ) l;
    for list in 1..list_count loop
      part := here[list].numbers;
      if passing is not null and cardinality(part) > 0 then
        part := part & passing;
        here[list].numbers := part;
      end if;
      if cardinality(part) > 0 then
        lists[list].numbers := lists[list].numbers || part;
      end if;
    end loop;
    full_count := full_count + cardinality(search_all_of(here, full_lists));
    best_count := best_count + cardinality(search_all_of(here, best_lists));
  end loop;

  for step in 1..step_count loop
    part := search_all_of(lists, step_lists[step_of[step]:step_of[step + 1] - 1]);
    continue when cardinality(part) = 0;
    if best_only and step = 1 and cardinality(part) >= best_enough then
      complete := false;
      numbers := part[1:best_enough];
      exit;
    end if;
    part := part - numbers;
    if cardinality(part) + cardinality(numbers) > most then
      complete := false;
      part := part[1:most - cardinality(numbers)];
    end if;
    numbers := numbers | part;
    if cardinality(numbers) >= most then
      complete := complete and step = step_count;
      exit;
    end if;
  end loop;
end $$;

-- Takes from `within` whole groups of records, in the order of the keys, until there are `most`.
create function search_take(
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

-- Words of the catalog that look like a mistyped one, the most alike first.
create function words_like(mistyped text)
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
