/** The payment methods that this app knows (EbPay is the label of USDT); the API's other entries are not shown. Decisions, "EbPay". */
export const knownMethods = ["EbPay", "Razorpay", "Stripe"] as const;
export type Method = (typeof knownMethods)[number];
