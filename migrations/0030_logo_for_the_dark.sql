ALTER TABLE "companies" ADD COLUMN "logo_wide" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "logo_opaque" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "logo_dark_url" text;--> statement-breakpoint
ALTER TABLE "companies" ADD COLUMN "logo_dark_wide" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "company_logos" ADD COLUMN "dark_content" "bytea";--> statement-breakpoint
-- What is known of the logos there are stands in their first bytes: WebP, lossy ("VP8 "), or with transparency ("VP8X").
UPDATE companies SET logo_wide = known.width >= 2 * known.height, logo_opaque = known.opaque
FROM (
  SELECT company_id, opaque,
    CASE WHEN opaque THEN (get_byte(content, 26) + get_byte(content, 27) * 256) & 16383
      ELSE get_byte(content, 24) + get_byte(content, 25) * 256 + 1 END AS width,
    CASE WHEN opaque THEN (get_byte(content, 28) + get_byte(content, 29) * 256) & 16383
      ELSE get_byte(content, 27) + get_byte(content, 28) * 256 + 1 END AS height
  FROM (
    SELECT company_id, content, substring(content FROM 13 FOR 4) = 'VP8 '::bytea AS opaque
    FROM company_logos
    WHERE substring(content FROM 13 FOR 4) IN ('VP8 '::bytea, 'VP8X'::bytea) AND length(content) >= 30
  ) AS read
) AS known
WHERE coalesce(test_of, id) = known.company_id;
