-- online
ALTER TABLE "transactions" VALIDATE CONSTRAINT "transactions_locale";