-- For psql, once, on an empty server: the service owns its database and is no superuser. The superuser is left
-- without a password, so that it can sign in on the server itself alone.
\getenv password POSTGRES_PASSWORD
create role vintem login password :'password';
create database vintem owner vintem;
alter role postgres password null;
