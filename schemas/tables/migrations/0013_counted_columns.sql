-- What counts by controls and by policies group signals by, as small columns that are computed from the row and never
-- inserted: turning the texts of every row into it was half of their work.

-- The violations as one number, a bit for each code. The bits are those of platform/warehouse/queries/code-bits.ts; another list
-- of codes needs another column.
ALTER TABLE signals ${ON_CLUSTER} ADD COLUMN IF NOT EXISTS violationBits UInt64 MATERIALIZED arraySum(code -> transform(code,
  [
    'PII_LEAK', 'EMAIL', 'SSN', 'CREDIT_CARD', 'PHONE', 'PASSPORT', 'HEALTH_DATA', 'FINANCIAL_DATA', 'RACIAL_BIAS',
    'GENDER_BIAS', 'AGE_BIAS', 'DISABILITY_BIAS', 'RELIGIOUS_BIAS', 'INTERSECTIONAL_BIAS', 'SYCOPHANCY',
    'CODE_INJECTION', 'SECRET_LEAK', 'XSS', 'CSRF', 'SSRF', 'DANGEROUS_INSTRUCTIONS', 'PROMPT_INJECTION',
    'JAILBREAK_ATTEMPT', 'SYSTEM_PROMPT_EXTRACTION', 'GOAL_HIJACKING', 'AGENT_LOOP', 'IRREVERSIBLE_ACTION',
    'SCOPE_CREEP', 'PRIVILEGE_ESCALATION', 'FAKE_CITATION', 'INVENTED_STATISTIC', 'FALSE_CONFIDENCE',
    'EXPERT_IMPERSONATION', 'VIOLENT_CONTENT', 'SEXUAL_CONTENT', 'CSAM', 'HATE_SPEECH', 'HARASSMENT',
    'SELF_HARM_FACILITATION', 'UNLICENSED_ADVICE', 'INSIDER_TRADING', 'MARKET_MANIPULATION', 'FRAUD',
    'UNAUTHORIZED_LEGAL_ADVICE', 'COPYRIGHT', 'DEFAMATION', 'CUSTOM_RULE'
  ],
  [
    1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144, 524288,
    1048576, 2097152, 4194304, 8388608, 16777216, 33554432, 67108864, 134217728, 268435456, 536870912, 1073741824,
    2147483648, 4294967296, 8589934592, 17179869184, 34359738368, 68719476736, 137438953472, 274877906944,
    549755813888, 1099511627776, 2199023255552, 4398046511104, 8796093022208, 17592186044416, 35184372088832,
    70368744177664
  ],
  toUInt64(0)), violations);

-- Whether one of the finds is a card's security code, the one that a control asks for: the finds themselves are long.
ALTER TABLE signals ${ON_CLUSTER} ADD COLUMN IF NOT EXISTS foundCvv Bool MATERIALIZED position(detections, '"detector":"cvv"') > 0;

-- rows that are stored already; until they are rewritten, reading them computes it
ALTER TABLE signals ${ON_CLUSTER} MATERIALIZE COLUMN violationBits, MATERIALIZE COLUMN foundCvv;
