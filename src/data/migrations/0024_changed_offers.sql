-- The order of the Atom feed: each publish reads its first entries, however many offers there are.
create index offer_changed on offer (greatest(updated_at, valid_from) desc, id desc)
where status = 'active' and not app_only_top;
