-- Unlogged: what it holds counts for minutes, and must cost little while Redis is gone.
CREATE UNLOGGED TABLE "limiter_windows" (
	"key" text PRIMARY KEY NOT NULL,
	"hits" jsonb NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sandbox_charges" ADD COLUMN "challenge_token" text;