-- For psql, once, on an empty server: the service owns its database and is no superuser. The superuser is left
-- without a password, so that nobody is let in as one but on the server itself.
\getenv password POSTGRES_PASSWORD
create role vintem login password :'password';
create database vintem owner vintem;
alter role postgres password null;
