// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

/** A token that anyone may mint. */
contract Token {
    uint8 public immutable decimals;
    string public symbol;
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(uint8 digits, string memory name) {
        decimals = digits;
        symbol = name;
    }

    function mint(address to, uint256 value) external {
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }
}

// Balancer V3

struct TokenConfig {
    address token;
    uint8 tokenType;
    address rateProvider;
    bool paysYieldFees;
}

struct RoleAccounts {
    address pauseManager;
    address swapFeeManager;
    address poolCreator;
}

struct LiquidityManagement {
    bool disableUnbalanced;
    bool addCustom;
    bool removeCustom;
    bool donation;
}

struct VaultSwap {
    uint8 kind;
    address pool;
    address tokenIn;
    address tokenOut;
    uint256 amountGiven;
    uint256 limit;
    bytes userData;
}

struct Join {
    address pool;
    address to;
    uint256[] maxAmounts;
    uint256 minShares;
    uint8 kind;
    bytes userData;
}

struct Exit {
    address pool;
    address from;
    uint256 maxShares;
    uint256[] minAmounts;
    uint8 kind;
    bytes userData;
}

struct PoolSwap {
    uint8 kind;
    uint256 amountGiven;
    uint256[] balances;
    uint256 indexIn;
    uint256 indexOut;
    address router;
    bytes userData;
}

interface IVault {
    function registerPool(
        address pool,
        TokenConfig[] memory tokens,
        uint256 swapFee,
        uint32 pauseWindowEnd,
        bool isExempt,
        RoleAccounts calldata roles,
        address hooks,
        LiquidityManagement calldata management
    ) external;
    function unlock(bytes calldata data) external returns (bytes memory);
    function settle(address token, uint256 amount) external returns (uint256);
    function sendTo(address token, address to, uint256 amount) external;
    function initialize(
        address pool,
        address to,
        address[] memory tokens,
        uint256[] memory amounts,
        uint256 minShares,
        bytes memory data
    ) external returns (uint256);
    function addLiquidity(Join memory join) external returns (uint256[] memory, uint256, bytes memory);
    function removeLiquidity(Exit memory exit) external returns (uint256, uint256[] memory, bytes memory);
    function removeLiquidityRecovery(address pool, address from, uint256 shares, uint256[] memory minAmounts)
        external
        returns (uint256[] memory);
    function swap(VaultSwap memory order) external returns (uint256, uint256, uint256);
    function getPoolTokens(address pool) external view returns (address[] memory);
}

contract RateProvider {
    uint256 public getRate = 1e18;

    function setRate(uint256 rate) external {
        getRate = rate;
    }
}

contract Authorizer {
    function canPerform(bytes32, address, address) external pure returns (bool) {
        return true;
    }
}

/** A pool that exchanges its tokens one to one, by value. */
contract SumPool {
    event Transfer(address indexed from, address indexed to, uint256 value);

    function emitTransfer(address from, address to, uint256 value) external {
        emit Transfer(from, to, value);
    }

    function emitApproval(address, address, uint256) external {}

    function getMinimumSwapFeePercentage() external pure returns (uint256) {
        return 0;
    }

    function getMaximumSwapFeePercentage() external pure returns (uint256) {
        return 1e17;
    }

    function getMinimumInvariantRatio() external pure returns (uint256) {
        return 1e15;
    }

    function getMaximumInvariantRatio() external pure returns (uint256) {
        return 1e21;
    }

    function computeInvariant(uint256[] memory balances, uint8) public pure returns (uint256 sum) {
        for (uint256 i; i < balances.length; ++i) sum += balances[i];
    }

    function computeBalance(uint256[] memory balances, uint256 index, uint256 ratio)
        external
        pure
        returns (uint256)
    {
        uint256 sum = computeInvariant(balances, 0);
        return (sum * ratio) / 1e18 + balances[index] - sum;
    }

    function onSwap(PoolSwap calldata order) external pure returns (uint256) {
        return order.amountGiven;
    }
}

contract SumPoolFactory {
    IVault immutable vault;

    event PoolCreated(address indexed pool);

    constructor(IVault _vault) {
        vault = _vault;
    }

    function create(TokenConfig[] memory tokens, uint256 swapFee, address creator) external {
        address pool = address(new SumPool());
        RoleAccounts memory roles = RoleAccounts(address(0), address(0), creator);
        LiquidityManagement memory management = LiquidityManagement(false, false, false, true);
        uint32 end = uint32(block.timestamp + 365 days);
        vault.registerPool(pool, tokens, swapFee, end, false, roles, address(0), management);
        emit PoolCreated(pool);
    }
}

/** Trades with the Vault, as the holder of tokens and shares. */
contract VaultTrader {
    IVault immutable vault;

    constructor(IVault _vault) {
        vault = _vault;
    }

    /** The Vault calls this contract with `inner`. */
    function run(bytes memory inner) external {
        vault.unlock(inner);
    }

    function pay(address pool, uint256[] memory amounts) internal {
        address[] memory tokens = vault.getPoolTokens(pool);
        for (uint256 i; i < tokens.length; ++i) payOne(tokens[i], amounts[i]);
    }

    function payOne(address token, uint256 amount) internal {
        if (amount == 0) return;
        Token(token).transfer(address(vault), amount);
        vault.settle(token, amount);
    }

    function take(address pool, uint256[] memory amounts) internal {
        address[] memory tokens = vault.getPoolTokens(pool);
        for (uint256 i; i < tokens.length; ++i) {
            if (amounts[i] > 0) vault.sendTo(tokens[i], address(this), amounts[i]);
        }
    }

    function initialize(address pool, uint256[] memory amounts) external {
        vault.initialize(pool, address(this), vault.getPoolTokens(pool), amounts, 0, "");
        pay(pool, amounts);
    }

    function join(address pool, uint256[] memory maxAmounts, uint256 shares, uint8 kind) public {
        (uint256[] memory paid,,) =
            vault.addLiquidity(Join(pool, address(this), maxAmounts, shares, kind, ""));
        pay(pool, paid);
    }

    function exit(address pool, uint256 shares, uint256[] memory minAmounts, uint8 kind) public {
        (, uint256[] memory received,) =
            vault.removeLiquidity(Exit(pool, address(this), shares, minAmounts, kind, ""));
        take(pool, received);
    }

    function recover(address pool, uint256 shares, uint256[] memory minAmounts) external {
        take(pool, vault.removeLiquidityRecovery(pool, address(this), shares, minAmounts));
    }

    function joinAndExit(address pool, uint256[] memory maxAmounts, uint256 shares) external {
        join(pool, maxAmounts, shares, 0);
        exit(pool, shares, new uint256[](maxAmounts.length), 0);
    }

    function swap(address pool, uint8 kind, address tokenIn, address tokenOut, uint256 given, uint256 limit)
        external
    {
        (, uint256 paid, uint256 received) =
            vault.swap(VaultSwap(kind, pool, tokenIn, tokenOut, given, limit, ""));
        payOne(tokenIn, paid);
        vault.sendTo(tokenOut, address(this), received);
    }
}

// Ekubo

struct PoolKey {
    address token0;
    address token1;
    bytes32 config;
}

struct CallPoints {
    bool beforeInitializePool;
    bool afterInitializePool;
    bool beforeSwap;
    bool afterSwap;
    bool beforeUpdatePosition;
    bool afterUpdatePosition;
    bool beforeCollectFees;
    bool afterCollectFees;
}

interface ICore {
    function registerExtension(CallPoints memory points) external;
    function initializePool(PoolKey memory key, int32 tick) external returns (uint96);
    function updatePosition(PoolKey memory key, bytes32 id, int128 liquidity)
        external
        payable
        returns (bytes32);
    function collectFees(PoolKey memory key, bytes32 id) external returns (uint128, uint128);
    function accumulateAsFees(PoolKey memory key, uint128 amount0, uint128 amount1) external payable;
    function updateSavedBalances(address token0, address token1, bytes32 salt, int256 delta0, int256 delta1)
        external
        payable;
}

/** Trades with the Core, as the owner of positions, and as an extension. */
contract CoreTrader {
    address public core;

    function setCore(address _core) external {
        core = _core;
    }

    receive() external payable {}

    /** The Core calls this contract with `inner`. */
    function run(bytes calldata inner) external {
        passOn(core, abi.encodePacked(bytes4(keccak256("lock()")), inner));
    }

    /** The Core's call, locked_6416899205(uint256), has the selector 0. */
    fallback() external payable {
        require(msg.sender == core);
        passOn(address(this), msg.data[36:]);
    }

    function passOn(address to, bytes memory data) internal returns (bytes memory answer) {
        bool isDone;
        (isDone, answer) = to.call(data);
        if (!isDone) {
            assembly {
                revert(add(answer, 32), mload(answer))
            }
        }
    }

    function settle(address token, int256 owed) internal {
        if (owed < 0) {
            bytes4 withdraw = bytes4(keccak256("withdraw()"));
            passOn(core, abi.encodePacked(withdraw, token, address(this), uint128(uint256(-owed))));
        } else if (owed > 0 && token == address(0)) {
            (bool isPaid,) = core.call{value: uint256(owed)}("");
            require(isPaid);
        } else if (owed > 0) {
            uint256 word = uint256(uint160(token));
            passOn(core, abi.encodePacked(bytes4(keccak256("startPayments()")), word));
            Token(token).transfer(core, uint256(owed));
            passOn(core, abi.encodePacked(bytes4(keccak256("completePayments()")), word));
        }
    }

    function settleBoth(PoolKey memory key, int256 owed0, int256 owed1) internal {
        settle(key.token0, owed0);
        settle(key.token1, owed1);
    }

    function settleUpdate(PoolKey memory key, bytes32 update) internal {
        settleBoth(key, int128(uint128(uint256(update) >> 128)), int128(uint128(uint256(update))));
    }

    function initialize(PoolKey memory key, int32 tick) external {
        ICore(core).initializePool(key, tick);
    }

    function update(PoolKey memory key, bytes32 id, int128 liquidity) external {
        settleUpdate(key, ICore(core).updatePosition(key, id, liquidity));
    }

    function collect(PoolKey memory key, bytes32 id) external {
        (uint128 amount0, uint128 amount1) = ICore(core).collectFees(key, id);
        settleBoth(key, -int256(uint256(amount0)), -int256(uint256(amount1)));
    }

    function accumulate(PoolKey memory key, uint128 amount0, uint128 amount1) external {
        ICore(core).accumulateAsFees(key, amount0, amount1);
        settleBoth(key, int256(uint256(amount0)), int256(uint256(amount1)));
    }

    function save(PoolKey memory key, uint128 amount0, uint128 amount1) external {
        (int256 delta0, int256 delta1) = (int256(uint256(amount0)), int256(uint256(amount1)));
        ICore(core).updateSavedBalances(key.token0, key.token1, 0, delta0, delta1);
        settleBoth(key, delta0, delta1);
    }

    /** The Core's function, swap_6269342730(), has the selector 0. */
    function swap(PoolKey memory key, bytes32 parameters) external {
        bytes memory data = abi.encodePacked(
            bytes4(0), uint256(uint160(key.token0)), uint256(uint160(key.token1)), key.config, parameters
        );
        settleUpdate(key, abi.decode(passOn(core, data), (bytes32)));
    }

    function register() external {
        ICore(core).registerExtension(
            CallPoints(true, false, false, false, false, false, false, false)
        );
    }

    function beforeInitializePool(address, PoolKey calldata, int32) external {}
}
