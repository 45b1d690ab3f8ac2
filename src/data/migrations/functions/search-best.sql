-- Revision 1. search_best, the search itself; ../../index/README.md explains it.

-- Finds the best records of a plan (see `best` in retrieve.ts) by branch and bound over its slots, those with the
-- most weight per number first: records are partitioned by their match of one slot after the other, and partitions
-- that cannot reach the best `wanted` are pruned. Numbers are read in passes, best static rank first. `bound` is an
-- upper bound on the score of records left out, 0 if there are none. If more than `scored` records would have to be
-- scored one by one, as for two dozen frequent words, only those of the best static rank are.
create or replace function search_best(of_kind smallint, plan jsonb, out numbers int[], out bound float8)
language plpgsql stable parallel safe
-- The statements vary little between calls, and planning them would take a tenth of the time.
set plan_cache_mode = force_generic_plan
as $$
declare
  list_keys int[] := plan ->> 'keys';
  list_of int[] := plan ->> 'lists';
  filter_keys int[] := plan ->> 'filterKeys';
  filter_of int[] := plan ->> 'filters';
  filter_count int := plan ->> 'filterCount';
  -- The number of records that pass the first filter.
  narrowest int := plan ->> 'narrowest';
  tier_list int[] := plan ->> 'tierLists';
  tier_worth float8[] := plan ->> 'tierWorth';
  tier_may_cover boolean[] := plan ->> 'tierMayCover';
  tier_covers boolean[] := plan ->> 'tierCovers';
  -- Per slot: its first tier (and one beyond the last), whether it is required, the most it can contribute, and the
  -- most that all later slots can.
  first_tier int[] := plan ->> 'firstTiers';
  required boolean[] := plan ->> 'required';
  slot_most float8[] := plan ->> 'slotMost';
  after_most float8[] := plan ->> 'afterMost';
  slot_count int := plan ->> 'slotCount';
  total float8 := plan ->> 'total';
  base float8 := plan ->> 'base';
  may_cover boolean := plan ->> 'mayCover';
  worth float8 := plan ->> 'worth';
  wanted int := plan ->> 'wanted';
  depth int := plan ->> 'depth';
  budget int := plan ->> 'budget';
  scored_left int := plan ->> 'scored';
  all_worth boolean := plan ->> 'allWorth';
  last_bucket int := plan ->> 'lastBucket';
  -- What each key contributes to which slot.
  wanted_keys int[] := plan ->> 'wantedKeys';
  wanted_slots int[] := plan ->> 'wantedSlots';
  wanted_impacts float8[] := plan ->> 'wantedImpacts';
  wanted_full boolean[] := plan ->> 'wantedFull';
  required_count constant int := (select count(*) from unnest(required) as is_required where is_required);
  last_required constant int := (
    select coalesce(max(slot), 0) from unnest(required) with ordinality as one (is_required, slot) where is_required);
  pass_size constant int := 16384;
  -- Scoring a record by its keys costs as much as reading this many numbers of lists.
  record_cost constant int := 1600;
  -- The fixed cost of an operation on lists, in the same unit.
  step_cost constant int := 200;

  best float8 := base + coalesce((select sum(most) from unnest(slot_most) as most), 0);
  threshold float8 := -1;
  this_pass record;
  quality float8;
  passing int[];
  active boolean[];
  lists search_numbers[];
  seen int[];
  nodes search_node[];
  next_nodes search_node[];
  node search_node;
  node_count int;
  next_count int;
  part int[];
  upper float8;
  leaf_numbers search_numbers[];
  leaf_most float8[];
  leaf_least float8[];
  leaf_count int := 0;
  equals record;
  -- What the rest of a pass costs per node, from each slot on.
  rest_cost int[];
  few int[];
  essential int;
begin
  bound := 0;
  for this_pass in
    select array_agg(bucket) as buckets, min(first) as first
    from (
      select size.bucket, bucket.first,
        (sum(size.records) over (order by size.bucket) - size.records)::int / pass_size as pass
      from (
        select p.bucket, sum(p.records) as records from search_posting p
        where p.kind = of_kind and p.bucket <= last_bucket
          and p.key = any(case when slot_count > 0 then list_keys else filter_keys end)
        group by p.bucket
      ) size
      join search_bucket bucket on bucket.kind = of_kind and bucket.bucket = size.bucket
    ) sized
    group by pass order by pass
  loop
    quality := search_quality(of_kind, this_pass.first, 1);
    upper := search_score(quality * best, may_cover, total);
    exit when upper <= threshold or scored_left = 0;
    -- Skip tiers that cannot lift a record to the threshold.
    for slot in 1..slot_count loop
      for tier in first_tier[slot]..first_tier[slot + 1] - 1 loop
        upper := best - slot_most[slot] + tier_worth[tier];
        active[tier] := upper >= worth and threshold < search_score(
          quality * upper, may_cover and (tier_may_cover[tier] or not required[slot]), total);
      end loop;
    end loop;
    select array_agg(row(coalesce(l.numbers, '{}'))::search_numbers order by l.list) into lists
    from (
      select wanted.list, union_of(p.numbers) as numbers
      from unnest(list_keys, list_of) as wanted (key, list)
      left join search_posting p
        on p.kind = of_kind and p.key = wanted.key and p.bucket = any(this_pass.buckets)
          and exists (
            select from unnest(tier_list, active) as tier (list, active)
            where tier.list = wanted.list and tier.active)
      group by wanted.list
    ) l;

    passing := null;
    if filter_count > 0 then
      -- Restrict long filter lists to records that can reach the threshold: these have something of the essential
      -- slots.
      essential := 1;
      while after_most[essential] >= worth and threshold < search_score(
        quality * after_most[essential], may_cover and not (true = any(required[:essential])), total)
      loop
        essential := essential + 1;
      end loop;
      select union_of(lists[list].numbers) into passing
      from unnest(tier_list[:first_tier[essential + 1] - 1], active) as tier (list, active)
      where tier.active
      having sum(cardinality(lists[list].numbers)) < narrowest;
      for filter in 1..filter_count loop
        select coalesce(union_of(coalesce(p.numbers & passing, p.numbers)), '{}') into passing
        from unnest(filter_keys, filter_of) as wanted (key, of)
        join search_posting p
          on p.kind = of_kind and p.key = wanted.key and p.bucket = any(this_pass.buckets)
        where wanted.of = filter;
        exit when cardinality(passing) = 0;
      end loop;
      continue when cardinality(passing) = 0;
    end if;

    rest_cost := array_fill(0, array[slot_count + 1]);
    for slot in reverse slot_count..1 loop
      rest_cost[slot] := rest_cost[slot + 1];
      for tier in first_tier[slot]..first_tier[slot + 1] - 1 loop
        if active[tier] then
          rest_cost[slot] := rest_cost[slot] + step_cost + cardinality(lists[tier_list[tier]].numbers);
        end if;
      end loop;
    end loop;

    few := '{}';
    seen := '{}';
    nodes := array[row(passing, base, may_cover, may_cover)::search_node];
    node_count := 1;
    for slot in 1..slot_count loop
      next_count := 0;
      for n in 1..node_count loop
        node := nodes[n];
        if cardinality(node.numbers) * record_cost <= rest_cost[slot] then
          few := few + node.numbers;
          continue;
        end if;
        -- A node that is worth it already need not be split further.
        if all_worth and node.sum >= worth and node.numbers is not null then
          leaf_count := leaf_count + 1;
          leaf_numbers[leaf_count] := row(node.numbers)::search_numbers;
          leaf_most[leaf_count] := 1;
          leaf_least[leaf_count] := 0;
          continue;
        end if;
        for tier in first_tier[slot]..first_tier[slot + 1] - 1 loop
          upper := node.sum + tier_worth[tier] + after_most[slot];
          -- Then lesser tiers, or no match of this slot, are not worth it either.
          exit when upper < worth;
          -- What cannot reach the threshold is treated as not matching this slot.
          continue when not active[tier] or threshold >= search_score(
            quality * upper, node.may_cover and (tier_may_cover[tier] or not required[slot]), total);
          if node.numbers is null then
            part := lists[tier_list[tier]].numbers - seen;
            seen := seen | part;
          else
            part := node.numbers & lists[tier_list[tier]].numbers;
            continue when cardinality(part) = 0;
            node.numbers := node.numbers - part;
          end if;
          if cardinality(part) > 0 then
            next_count := next_count + 1;
            next_nodes[next_count] := row(
              part, node.sum + tier_worth[tier],
              node.may_cover and (tier_may_cover[tier] or not required[slot]),
              node.covers and (tier_covers[tier] or not required[slot]))::search_node;
          end if;
        end loop;
        continue when cardinality(node.numbers) = 0;
        upper := node.sum + after_most[slot];
        node.may_cover := node.may_cover and not required[slot];
        continue when upper < worth
          or threshold >= search_score(quality * upper, node.may_cover, total);
        node.covers := node.covers and not required[slot];
        next_count := next_count + 1;
        next_nodes[next_count] := node;
      end loop;
      nodes := next_nodes;
      node_count := next_count;
      -- Lower bounds of the best nodes raise the threshold within the pass; slightly less, as ties within a pass
      -- are broken by number.
      select greatest(threshold, max(known.least) - 1e-9) into threshold
      from (
        select own.least, sum(cardinality(one.numbers)) over (order by own.least desc) as records
        from unnest(nodes[:node_count]) as one
        cross join lateral search_score(one.sum
          * search_quality(of_kind, one.numbers[least(wanted, cardinality(one.numbers))], 0),
          one.covers and slot >= last_required, total) as own (least)
        where one.numbers is not null and one.sum >= worth
      ) known
      where known.records >= wanted;
    end loop;
    -- The records of a remaining node differ in static rank only.
    for n in 1..node_count loop
      node := nodes[n];
      continue when node.numbers is null or node.sum < worth;
      leaf_count := leaf_count + 1;
      leaf_numbers[leaf_count] := row(node.numbers[1:depth])::search_numbers;
      leaf_most[leaf_count] := search_score(quality * node.sum, node.may_cover, total);
      leaf_least[leaf_count] := search_score(node.sum
        * search_quality(of_kind, node.numbers[least(wanted, cardinality(node.numbers))], 0),
        node.covers, total);
      if cardinality(node.numbers) > depth then
        bound := greatest(bound, search_score(node.sum
          * search_quality(of_kind, node.numbers[depth + 1], 1), node.may_cover, total));
      end if;
    end loop;

    few := few[1:scored_left];
    scored_left := scored_left - cardinality(few);
    for equals in
      select array_agg(number order by number) as numbers, most, least
      from (
        select number, search_score(search_quality(of_kind, number, 1) * sum, covers, total) as most,
          search_score(search_quality(of_kind, number, 0) * sum, covers, total) as least
        from (
          select number, sum(impact),
            may_cover and count(*) filter (where is_full and required[slot]) = required_count as covers
          from (
            select record.number, wanted.slot, max(wanted.impact) as impact,
              bool_or(wanted.is_full) as is_full
            from unnest(few) as taken (number)
            join search_record record on record.kind = of_kind and record.number = taken.number
            cross join lateral unnest(record.keys & wanted_keys) as own (key)
            join unnest(wanted_keys, wanted_slots, wanted_impacts, wanted_full)
              as wanted (key, slot, impact, is_full) on wanted.key = own.key
            group by record.number, wanted.slot
          ) part
          group by number
        ) record
        where sum >= worth
      ) scored
      where most > threshold
      group by most, least
    loop
      leaf_count := leaf_count + 1;
      leaf_numbers[leaf_count] := row(equals.numbers[1:depth])::search_numbers;
      leaf_most[leaf_count] := equals.most;
      leaf_least[leaf_count] := equals.least;
      if cardinality(equals.numbers) > depth then
        bound := greatest(bound, equals.most);
      end if;
    end loop;

    select coalesce(max(least), -1) into threshold
    from (
      select leaf.least, sum(cardinality(leaf.numbers)) over (order by leaf.least desc) as records
      from unnest(leaf_numbers[1:leaf_count], leaf_least[1:leaf_count]) as leaf (numbers, least)
    ) ranked
    where ranked.records >= wanted;
  end loop;

  select coalesce(array_agg(number) filter (where taken), '{}'),
    greatest(bound, threshold, max(most) filter (where not taken))
  into numbers, bound
  from (
    select leaf.numbers, leaf.most,
      leaf.most >= threshold and sum(cardinality(leaf.numbers)) over (
        order by leaf.most desc, leaf.place) - cardinality(leaf.numbers) < budget as taken
    from unnest(leaf_numbers[1:leaf_count], leaf_most[1:leaf_count])
      with ordinality as leaf (numbers, most, place)
  ) leaf
  left join lateral unnest(case when taken then leaf.numbers end) as number on true;
end $$;
