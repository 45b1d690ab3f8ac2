-- Revision 1. submit_catalog, the entry point to the queue of changes.

-- Returns the fault in the shape of a kind and id; null if valid.
create or replace function record_key_fault(kind jsonb, id jsonb) returns text
language sql immutable parallel safe
return case
  when kind is null or kind not in
    ('"category"'::jsonb, '"merchant"'::jsonb, '"store"'::jsonb, '"product"'::jsonb, '"offer"'::jsonb)
    then 'kind must be "category", "merchant", "store", "product" or "offer"'
  when jsonb_typeof(id) is distinct from 'number' then 'id must be a number'
  when id::numeric <> trunc(id::numeric) or id::numeric = 0
    or abs(id::numeric) > 9007199254740991 or (id::numeric < 0 and kind <> '"offer"'::jsonb)
    then 'id must be a whole number within 1..9007199254740991 (negative for payment offers)'
end;

-- Returns the fault in the shape of a change; null if valid.
create or replace function catalog_change_shape_fault(change jsonb) returns text
language sql immutable parallel safe
return case
  when jsonb_typeof(change) is distinct from 'object' then 'a change must be an object'
  when change -> 'op' = '"upsert"'::jsonb then case
    when change - array['op', 'record'] <> '{}'::jsonb then 'an upsert has op and record only'
    when jsonb_typeof(change -> 'record') is distinct from 'object' then 'record must be an object'
    else record_key_fault(change #> '{record,kind}', change #> '{record,id}')
  end
  when change -> 'op' = '"patch"'::jsonb then case
    when change - array['op', 'kind', 'id', 'set'] <> '{}'::jsonb
      then 'a patch has op, kind, id and set only'
    when jsonb_typeof(change -> 'set') is distinct from 'object' or change -> 'set' = '{}'::jsonb
      then 'set must be an object of at least one field'
    else record_key_fault(change -> 'kind', change -> 'id')
  end
  when change -> 'op' = '"delete"'::jsonb then case
    when change - array['op', 'kind', 'id'] <> '{}'::jsonb then 'a delete has op, kind and id only'
    else record_key_fault(change -> 'kind', change -> 'id')
  end
  else 'op must be "upsert", "patch" or "delete"'
end;

-- Queues up to 5,000 catalog changes, all or nothing, and returns their number; 0 for a repeated key. Each is
-- {"op":"upsert","record":{…}}, {"op":"patch","kind":…,"id":…,"set":{…}} or {"op":"delete","kind":…,"id":…}. Only
-- the shape is checked here; changes that cannot be applied are listed in catalog_change_fault.
create or replace function submit_catalog(changes jsonb, batch_key text default null) returns int
language plpgsql as $$
declare
  most constant int := 5000;
  wrong record;
begin
  if jsonb_typeof(changes) is distinct from 'array' then
    raise exception 'submit_catalog takes a JSON array of changes' using errcode = '22023';
  end if;
  if jsonb_array_length(changes) > most then
    raise exception 'submit_catalog takes up to % changes a call, got %', most, jsonb_array_length(changes)
      using errcode = '22023';
  end if;
  if batch_key = '' or length(batch_key) > 200 then
    raise exception 'batch_key must have 1 to 200 characters' using errcode = '22023';
  end if;
  select position, catalog_change_shape_fault(change) as fault into wrong
  from jsonb_array_elements(changes) with ordinality as listed (change, position)
  where catalog_change_shape_fault(change) is not null
  order by position limit 1;
  if found then
    raise exception 'submit_catalog refused change %: %', wrong.position, wrong.fault using errcode = '22023';
  end if;
  insert into catalog_batch (key, changes, size)
  values (batch_key, nullif(changes, '[]'), jsonb_array_length(changes)) on conflict do nothing;
  if not found then
    return 0;
  end if;
  notify catalog_submitted;
  return jsonb_array_length(changes);
end $$;
