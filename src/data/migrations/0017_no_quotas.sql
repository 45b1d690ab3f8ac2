-- Quotas that processes share are in Redis or Valkey.
drop table rate_limit;
