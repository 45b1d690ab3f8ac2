-- Keeps Vitrine up to date with mall.shop and mall.item (tables.sql), statement by statement and in the mall's own
-- transaction: a rollback submits nothing. `mall.emit` decides where changes go. Here it is Vitrine's database
-- itself; outbox.sql is for a mall in its own database.
create function mall.emit(changes jsonb) returns void
language sql as 'select submit_catalog(changes)';

-- Emits the changes of some rows, whose ids never change: rows of the view are upserted, the others deleted.
-- A call of submit_catalog takes 5,000 changes.
create function mall.emit_rows(kinds text[], ids bigint[]) returns void
language plpgsql as $$
declare
  part jsonb;
begin
  for part in
    select jsonb_agg(change order by place) from (
      select row_number() over (order by touched_kind.place, touched.id) as place,
        case when record is not null then jsonb_build_object('op', 'upsert', 'record', record)
          else jsonb_build_object('op', 'delete', 'kind', touched_kind.kind, 'id', touched.id)
        end as change
      from unnest(kinds) with ordinality as touched_kind (kind, place)
      cross join unnest(ids) as touched (id)
      left join mall.feed on feed.kind = touched_kind.kind and feed.id = touched.id
    ) changes
    group by (place - 1) / 5000 order by (place - 1) / 5000
  loop
    perform mall.emit(part);
  end loop;
end $$;

create function mall.emit_changed() returns trigger
language plpgsql as $$
begin
  perform mall.emit_rows(tg_argv::text[], (select array_agg(id) from changed));
  return null;
end $$;

create trigger emit_new after insert on mall.shop
  referencing new table as changed for each statement execute function mall.emit_changed('merchant', 'store');
create trigger emit_update after update on mall.shop
  referencing new table as changed for each statement execute function mall.emit_changed('merchant', 'store');
create trigger emit_gone after delete on mall.shop
  referencing old table as changed for each statement execute function mall.emit_changed('store', 'merchant');

create trigger emit_new after insert on mall.item
  referencing new table as changed for each statement execute function mall.emit_changed('product');
create trigger emit_update after update on mall.item
  referencing new table as changed for each statement execute function mall.emit_changed('product');
create trigger emit_gone after delete on mall.item
  referencing old table as changed for each statement execute function mall.emit_changed('product');
