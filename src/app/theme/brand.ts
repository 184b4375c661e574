/** The brand: names, team and logos, in one place for an operator to replace. */
import logoEn from "../pictures/logo-en.svg";
import logoZh from "../pictures/logo-zh.svg";

export interface Brand {
  /** In the title of every page. */
  name: string;
  /** Named in the copyright line. */
  team: string;
  /** The logo, with the name beside the mark. */
  logo: { name: string; src: string; width: number; height: number };
}

export const brands: Record<"en" | "zh-CN", Brand> = {
  en: {
    name: "Everlit",
    team: "Everlit Team",
    logo: { name: "logo-en", src: logoEn, width: 98, height: 32 },
  },
  "zh-CN": { name: "长明", team: "长明团队", logo: { name: "logo-zh", src: logoZh, width: 79, height: 32 } },
};
