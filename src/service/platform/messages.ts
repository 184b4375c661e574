/** The messages of the API and of the sandbox's pages, in both languages. */
import type { Language } from "../../contract/languages.ts";

const words = {
  done: { en: "Done.", "zh-CN": "操作成功。" },
  loggedIn: { en: "Login succeeded", "zh-CN": "登录成功" },
  registered: { en: "Your account is ready.", "zh-CN": "注册成功。" },
  logInFirst: { en: "Please log in first.", "zh-CN": "请先登录。" },
  unreadable: {
    en: "Something you entered is missing or not right. Please check it and try again.",
    "zh-CN": "提交的内容不完整或有误，请检查后重试。",
  },
  tooLarge: {
    en: "This is too long to send. Please shorten it and try again.",
    "zh-CN": "提交的内容太长，请缩短后重试。",
  },
  notFound: { en: "There is nothing at this address.", "zh-CN": "这个地址不存在。" },
  broken: {
    en: "Something went wrong on our side. Please try again in a moment.",
    "zh-CN": "服务出了点问题，请稍后再试。",
  },
  busy: {
    en: "We are very busy right now. Please try again in a moment.",
    "zh-CN": "当前访问人数较多，请稍后再试。",
  },
  tooManyAttempts: {
    en: "Too many attempts. Please wait a minute and try again.",
    "zh-CN": "尝试次数过多，请一分钟后再试。",
  },
  accountFailsOften: {
    en: "There have been many failed log-ins to this account. Please try again in an hour, from a network where you have used the app before, or recover your password.",
    "zh-CN": "该账号近期登录失败次数过多，请一小时后再试，或换到你以前登录过的网络再试，也可以找回密码。",
  },
  accountLocked: {
    en: "This account has been locked. Please contact customer support.",
    "zh-CN": "该账号已被锁定，请联系客服。",
  },
  networkFailsOften: {
    en: "Too many failed log-ins have come from your network, perhaps from others who share it. Your account is fine: please wait a minute and try again, or switch to another network, such as mobile data.",
    "zh-CN":
      "你所在的网络登录失败次数过多，可能是共用这个网络的其他人造成的，你的账号没有问题。请一分钟后再试，或换一个网络（例如移动数据）。",
  },
  networkFailsOftenToday: {
    en: "Too many attempts have come from your network today, perhaps from others who share it. Your account is fine: please switch to another network, such as mobile data, or try again tomorrow.",
    "zh-CN":
      "你所在的网络今天尝试次数过多，可能是共用这个网络的其他人造成的，你的账号没有问题。请换一个网络（例如移动数据），或明天再试。",
  },
  networkRegistersOften: {
    en: "Many accounts have just been created from your network, perhaps by others who share it. Please wait a minute and try again, or switch to another network, such as mobile data.",
    "zh-CN":
      "你所在的网络刚刚注册了很多账号，可能是共用这个网络的其他人注册的。请一分钟后再试，或换一个网络（例如移动数据）。",
  },
  nameMissing: { en: "Please enter your account name.", "zh-CN": "请输入账号。" },
  nameTooShort: {
    en: "The account name needs at least 4 characters.",
    "zh-CN": "账号至少需要 4 个字符。",
  },
  nameUnseen: {
    en: "The account name contains invisible characters. Please type it again.",
    "zh-CN": "账号中含有不可见的字符，请重新输入。",
  },
  nameTooLong: {
    en: "The account name is too long. Please enter a shorter one.",
    "zh-CN": "账号太长，请缩短后重试。",
  },
  nameTaken: {
    en: "This account name is already taken. Please choose another, or log in.",
    "zh-CN": "这个账号已被注册，请换一个，或直接登录。",
  },
  passwordTooShort: {
    en: "The password needs at least 8 characters.",
    "zh-CN": "密码至少需要 8 个字符。",
  },
  passwordTooLong: {
    en: "The password is too long. Please enter a shorter one.",
    "zh-CN": "密码太长，请缩短后重试。",
  },
  passwordUnseen: {
    en: "The password contains characters that cannot be read. Please type it again.",
    "zh-CN": "密码中含有无法识别的字符，请重新输入。",
  },
  passwordCommon: {
    en: "This password is too easy to guess. Please choose another.",
    "zh-CN": "这个密码太容易被猜到，请换一个。",
  },
  passwordsDiffer: {
    en: "The passwords entered twice do not match. Please re-enter them.",
    "zh-CN": "两次输入的密码不一致，请重新输入。",
  },
  passwordSame: {
    en: "The new password is the same as the old one. Please choose another.",
    "zh-CN": "新密码与旧密码相同，请换一个。",
  },
  oldPasswordWrong: {
    en: "The old password is incorrect. Please enter it again.",
    "zh-CN": "旧密码不正确，请重新输入。",
  },
  passwordChanged: {
    en: "Password changed successfully, please log in again",
    "zh-CN": "密码修改成功，请重新登录",
  },
  loggedOutThere: { en: "Log-out complete.", "zh-CN": "退出登录已完成。" },
  saved: { en: "Modified successfully", "zh-CN": "修改成功" },
  nicknameUnseen: {
    en: "The nickname contains characters that cannot be shown. Please type it again.",
    "zh-CN": "昵称中含有无法显示的字符，请重新输入。",
  },
  nicknameTooLong: {
    en: "The nickname is too long. Please enter a shorter one.",
    "zh-CN": "昵称太长，请缩短后重试。",
  },
  birthDateRefused: {
    en: "The date of birth must be between January 1, 1670 and today.",
    "zh-CN": "出生日期须在 1670 年 1 月 1 日至今天之间。",
  },
  questionMissing: { en: "Please select a security question.", "zh-CN": "请选择密保问题。" },
  answerMissing: { en: "Please enter the secret answer.", "zh-CN": "请输入密保答案。" },
  answerTooShort: {
    en: "The secret answer needs at least 2 characters.",
    "zh-CN": "密保答案至少需要 2 个字符，一个汉字也可以。",
  },
  answerTooLong: {
    en: "The secret answer is too long. Please enter a shorter one.",
    "zh-CN": "密保答案太长，请缩短后重试。",
  },
  answerUnseen: {
    en: "The secret answer contains characters that cannot be read. Please type it again.",
    "zh-CN": "密保答案中含有无法识别的字符，请重新输入。",
  },
  passwordMissing: {
    en: "Please enter your password.",
    "zh-CN": "请输入密码。",
  },
  passwordWrong: {
    en: "The password is incorrect. Please check it and try again.",
    "zh-CN": "密码不正确，请检查后重试。",
  },
  accountDeleted: { en: "Your account has been deleted.", "zh-CN": "账号已注销。" },
  deletionDisputed: {
    en: "A bank is still looking into one of your payments. The account can be deleted once that is decided.",
    "zh-CN": "你有一笔付款正在由银行调查，有结果后才能注销账号。",
  },
  deletionPartPaid: {
    en: "One of your orders is partly paid. Please pay the rest, or ask customer support for your money back, then delete the account.",
    "zh-CN": "你有一笔订单只付了一部分。请先补足，或联系客服退款，再注销账号。",
  },
  deletionChecked: {
    en: "A payment of yours is still being confirmed or checked. Please try again once that is done; customer support can tell you more.",
    "zh-CN": "你有一笔付款还在确认或核对中，请等处理完再注销账号。如有疑问，请联系客服。",
  },
  deletionSurplus: {
    en: "You paid more than an order cost. Please ask customer support for the rest, then delete the account.",
    "zh-CN": "你有一笔订单多付了钱。请先联系客服退回多付的部分，再注销账号。",
  },
  deletionOrderOpen: {
    en: "You have an order that can still be paid. Please finish it, or wait until its thirty minutes are over, then delete the account.",
    "zh-CN": "你有一笔订单还可以付款。请先完成付款，或等 30 分钟过后再注销账号。",
  },
  recoveryFailed: {
    en: "The account name, the security question or the answer is incorrect. Please check all three and try again.",
    "zh-CN": "账号、密保问题或答案不正确，请检查后重试。",
  },
  tooManyToday: {
    en: "Too many attempts today. Please try again tomorrow, or ask customer support.",
    "zh-CN": "今天尝试次数过多，请明天再试，或联系客服。",
  },
  wrongCredentials: {
    en: "The account name or the password is incorrect. Please check both and try again.",
    "zh-CN": "账号或密码不正确，请检查后重试。",
  },
  packageUnknown: {
    en: "This package is no longer on sale. Please choose another.",
    "zh-CN": "这个套餐已下架，请重新选择。",
  },
  tooManyOrders: {
    en: "You have too many unfinished payments of this kind. Please finish one in your personal center, choose another way to pay, or try again in an hour.",
    "zh-CN": "你用这种方式未完成的付款太多，请先到个人中心完成一笔，或换一种支付方式，也可以一小时后再试。",
  },
  networkOrdersOften: {
    en: "Many orders have just been made from your network, perhaps by others who share it. Nothing was charged. Please try again in an hour, or switch to another network, such as mobile data.",
    "zh-CN":
      "你所在的网络刚刚提交了很多订单，可能是共用这个网络的其他人提交的，没有扣款。请一小时后再试，或换一个网络（例如移动数据）。",
  },
  keyReused: {
    en: "This order has already been placed with different choices. Please go back and choose the package again.",
    "zh-CN": "这笔订单已经提交，但选择的内容不一样。请返回重新选择套餐。",
  },
  orderUnknown: {
    en: "This order was not found. If you have paid, contact customer support with the order number.",
    "zh-CN": "没有找到这笔订单。如果你已经付款，请把订单号发给客服。",
  },
  methodClosed: {
    en: "This payment method is not available. Please choose another.",
    "zh-CN": "暂不支持这种支付方式，请选择其他方式。",
  },
  railSilent: {
    en: "The payment service did not answer. Nothing was charged. Please try again in a moment.",
    "zh-CN": "支付服务没有响应，没有扣款，请稍后再试。",
  },
  cardElsewhere: {
    en: "Card payments are made on the card payment page. Please go back and choose the card again.",
    "zh-CN": "银行卡请在银行卡支付页面付款，请返回重新选择。",
  },
  paymentUnverified: {
    en: "The payment could not be verified. If your card was charged, the order will be confirmed automatically within a few minutes.",
    "zh-CN": "无法验证这笔付款。若银行卡已扣款，订单会在几分钟内自动确认。",
  },
  contactUnset: {
    en: "The support page is not set up yet. Please try again later.",
    "zh-CN": "客服页面尚未开通，请稍后再试。",
  },
  addressMalformed: {
    en: "This is not a complete address of the chosen network. Please copy the whole address from the payment page.",
    "zh-CN": "这不是所选网络的完整地址，请从支付页面复制完整地址。",
  },
  addressUnknown: {
    en: "No order here has this address, so the transfer was not sent. Please copy the address from the payment page and check the network.",
    "zh-CN": "没有订单使用这个地址，转账未发出。请从支付页面复制地址，并确认网络是否正确。",
  },
  amountRefused: {
    en: "The amount must be above 0, at most 1,000,000 and have at most 6 decimals.",
    "zh-CN": "金额须大于 0、不超过 1,000,000，且最多 6 位小数。",
  },
  walletTitle: { en: "Test wallet", "zh-CN": "测试钱包" },
  walletNotice: {
    en: "This is a test wallet. No real money moves, and its balance never runs out.",
    "zh-CN": "这是测试钱包，不涉及真实资金，余额也用不完。",
  },
  walletNetwork: { en: "Network", "zh-CN": "网络" },
  walletAddress: { en: "Pay to address", "zh-CN": "收款地址" },
  walletAddressHint: {
    en: "Copy it from the payment page of your order.",
    "zh-CN": "请从订单的支付页面复制。",
  },
  walletAmount: { en: "Amount (USDT)", "zh-CN": "金额（USDT）" },
  walletSend: { en: "Send USDT", "zh-CN": "发送 USDT" },
  walletSent: { en: "Sent", "zh-CN": "已发出" },
  walletSentWaiting: {
    en: "The transfer is being confirmed. Your order page will show it soon.",
    "zh-CN": "转账正在确认，稍后就能在订单页面看到结果。",
  },
  walletSentConfirmed: {
    en: "The transfer is confirmed. You can go back to your order.",
    "zh-CN": "转账已确认，可以回到订单页面了。",
  },
  walletAgain: { en: "Make another transfer", "zh-CN": "再转一笔" },
  walletRecent: { en: "Recent transfers", "zh-CN": "最近的转账" },
  walletNone: { en: "Nothing has been sent yet.", "zh-CN": "还没有转账记录。" },
  walletConfirming: { en: "Confirming", "zh-CN": "确认中" },
  walletConfirmed: { en: "Confirmed", "zh-CN": "已确认" },
  providerNotice: {
    en: "This is a practice payment. No real money moves.",
    "zh-CN": "这是练习用的付款，不涉及真实资金。",
  },
  providerAmount: { en: "Amount", "zh-CN": "金额" },
  providerPaid: { en: "Payment successful", "zh-CN": "支付成功" },
  providerDeclined: { en: "Payment declined", "zh-CN": "支付被拒绝" },
  providerCancelled: { en: "Payment cancelled", "zh-CN": "支付已取消" },
  providerPaidHint: { en: "Your order will be confirmed in a moment.", "zh-CN": "订单稍后即会确认。" },
  providerUnpaidHint: { en: "Nothing was charged.", "zh-CN": "没有扣款。" },
  providerClose: { en: "You can close this window.", "zh-CN": "你可以关闭此窗口了。" },
  providerUnknown: { en: "This payment was not found.", "zh-CN": "没有找到这笔付款。" },
  cardTitle: { en: "Sandbox bank", "zh-CN": "沙盒银行" },
  cardWaiting: { en: "Asking the bank…", "zh-CN": "正在联系银行…" },
  cardQuestion: {
    en: "Your bank asks whether you want to make this payment.",
    "zh-CN": "银行需要你确认是否付款。",
  },
  cardNumber: { en: "Card", "zh-CN": "银行卡" },
  cardConfirm: { en: "Confirm payment", "zh-CN": "确认付款" },
  cardDecline: { en: "Decline", "zh-CN": "拒绝付款" },
  cardCancel: { en: "Cancel", "zh-CN": "取消" },
  cardFaultDeclined: {
    en: "Your payment was declined by the bank. Try another card, or ask your bank.",
    "zh-CN": "银行拒绝了这笔付款，请换一张卡，或咨询银行。",
  },
  cardFaultCancelled: {
    en: "Your payment has been cancelled. Try again or complete the payment later.",
    "zh-CN": "付款已取消，可以现在重试，也可以稍后再付。",
  },
  cardFaultNumber: {
    en: "The card number is not one of the sandbox's test cards. Never type a real card here.",
    "zh-CN": "这不是沙盒的测试卡号。切勿在这里输入真实的银行卡号。",
  },
  cardFaultExpiry: {
    en: "The card's expiry date is not valid.",
    "zh-CN": "银行卡有效期不正确，请检查后重试。",
  },
  cardFaultCode: {
    en: "The card's security code is not valid.",
    "zh-CN": "安全码不正确，请检查后重试。",
  },
  cardFaultName: { en: "The cardholder's name is missing.", "zh-CN": "请填写持卡人姓名。" },
  cardFaultPaid: {
    en: "Payment already done for this order.",
    "zh-CN": "这笔订单已经付过款，没有再次扣款。",
  },
  cardFaultUnmade: {
    en: "The payment could not be made.",
    "zh-CN": "付款没有成功，请稍后再试。",
  },
  cardFaultBlocked: {
    en: "The browser blocked the payment window. Allow pop-ups for this page and try again.",
    "zh-CN": "浏览器拦截了支付窗口，请允许本页弹出窗口后重试。",
  },
  cardFaultUnreachable: {
    en: "The payment provider could not be reached. Check your connection and try again.",
    "zh-CN": "无法连接支付服务商，请检查网络后重试。",
  },
  checkoutTitle: { en: "Sandbox checkout", "zh-CN": "沙盒收银台" },
  checkoutPackage: { en: "Membership", "zh-CN": "会员套餐" },
  checkoutPay: { en: "Pay", "zh-CN": "付款" },
  checkoutFail: { en: "Let the payment fail", "zh-CN": "让付款失败" },
  checkoutCancel: { en: "Cancel", "zh-CN": "取消付款" },
  downloadTitle: { en: "Sandbox download", "zh-CN": "沙盒下载" },
  downloadNotice: {
    en: "The sandbox has no real app. Set DOWNLOAD_SDK_URL to your own download script, and its packages are offered instead.",
    "zh-CN": "沙盒中没有真正的 App。把 DOWNLOAD_SDK_URL 设为你自己的下载脚本，就会提供你自己的安装包。",
  },
  supportTitle: { en: "Customer support", "zh-CN": "客服" },
  supportNotice: {
    en: "This is where your customers would reach you. Set CONTACT_URL to the address of your own support page.",
    "zh-CN": "你的用户会从这里联系到你。把 CONTACT_URL 设为你自己的客服页面地址即可。",
  },
} satisfies Record<string, Record<Language, string>>;

export type Word = keyof typeof words;

export function say(word: Word, language: Language): string {
  return words[word][language];
}
