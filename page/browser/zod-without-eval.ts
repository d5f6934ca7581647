import { z } from 'zod';

/** The page's policy forbids `eval`, by which zod would compile its schemas; imported before any of them is made. */
z.config({ jitless: true });
