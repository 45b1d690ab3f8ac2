-- Quotas shared by several processes (RATE_LIMIT_STORE=postgres); the layout is that of
-- rate-limiter-flexible. Unlogged: after a crash of the database the quotas start afresh.
create unlogged table rate_limit (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
